"""Answers to the exercises of lesson 06."""
