"""A form in Qt 6: an entry, a button, a check box, a slider, a modal question."""

from __future__ import annotations

import sys

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QSlider,
    QWidget,
)
from telling import asked, corner, tell


class Form(QWidget):
    def __init__(self, title: str) -> None:
        super().__init__()
        self.setWindowTitle(title)
        self.resize(340, 240)
        column = QFormLayout(self)
        self.entry, hidden, self.said = QLineEdit(), QLineEdit(), QLabel("Nothing yet")
        self.entry.textChanged.connect(lambda text: tell("name", value=text))
        hidden.setEchoMode(QLineEdit.EchoMode.Password)
        hidden.textChanged.connect(lambda text: tell("password", value=text))
        agree, level = QCheckBox("Agree"), QSlider(Qt.Orientation.Horizontal)
        agree.toggled.connect(lambda value: tell("agree", value=value))
        level.setAccessibleName("Level")
        level.valueChanged.connect(lambda value: tell("level", value=value))
        greet, ask = QPushButton("Greet"), QPushButton("Ask")
        greet.clicked.connect(self.greet)
        ask.clicked.connect(self.ask)
        column.addRow("Name", self.entry)
        column.addRow("Password", hidden)
        for widget in (agree, level, greet, ask, self.said):
            column.addRow(widget)

    def greet(self) -> None:
        self.said.setText(f"Hello {self.entry.text()}")
        tell("greet", value=self.entry.text())

    def ask(self) -> None:
        """A modal question in a loop of its own."""
        question = QMessageBox(QMessageBox.Icon.Question, "Sure?", "Delete everything?", parent=self)
        question.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
        QTimer.singleShot(0, lambda: tell("asking"))
        tell("answer", value="yes" if question.exec() == QMessageBox.StandardButton.Yes else "no")


options = asked(__doc__)
application = QApplication(sys.argv[:1])
form = Form(options.title)
if place := corner(options.at):
    form.move(*place)
form.show()
QTimer.singleShot(0, lambda: tell("ready"))
sys.exit(application.exec())
