"""What each lesson asks for: one module for each lesson, of the same name."""
