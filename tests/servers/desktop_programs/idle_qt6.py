"""A Qt 6 window with a button that highlights under the pointer and does nothing, and one that draws."""

from __future__ import annotations

import sys

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtWidgets import QApplication, QFrame, QPushButton, QVBoxLayout, QWidget
from telling import asked, tell

options = asked(__doc__)
application = QApplication(sys.argv[:1])
application.setStyleSheet("QPushButton:hover { background: #ffd000; }")
window = QWidget()
window.setWindowTitle(options.title)
column, area = QVBoxLayout(window), QFrame()
area.setFixedSize(300, 120)
area.setStyleSheet("background: #0000cc;")


def draw() -> None:
    area.setStyleSheet("background: #cc0000;")
    tell("drawn")


for label, pressed in (("Nothing", lambda: tell("nothing")), ("Draw", draw)):
    button = QPushButton(label)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(pressed)
    column.addWidget(button)
column.addWidget(area)
window.show()
QTimer.singleShot(0, lambda: tell("ready"))
sys.exit(application.exec())
