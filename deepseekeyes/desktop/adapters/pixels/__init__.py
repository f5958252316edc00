"""Pixels, pointer and keys over pyautogui, where no native family exists."""
