"""Wayland: windows and elements over AT-SPI, pixels and input over the desktop's portals."""
