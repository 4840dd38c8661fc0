"""The wiring of the panel Compare: snapshots are taken, renamed, gone back to and forgotten as edits."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from attnviz.app.docks import PanelDock
from attnviz.app.wiring import Wiring
from attnviz.document import snapshot_edits
from attnviz.views.compare.compare_view import CompareView
from attnviz.views.plane.view import PlaneView


class CompareWiring(QObject):
    """Connects the panel Compare with the session, and the plane with what is compared.

    Parameters
    ----------
    wiring : Wiring
        Applies edits and tells refusals.
    panel : CompareView
        The panel.
    dock : PanelDock
        Where it stands.
    plane : PlaneView
        Shows the outputs of A beside those of now.
    """

    def __init__(
        self, wiring: Wiring, panel: CompareView, dock: PanelDock, plane: PlaneView, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._wiring, self._panel, self._plane = wiring, panel, plane
        panel.snapshot_requested.connect(self.hold)
        panel.snapshot_restored.connect(self.restore)
        panel.snapshot_renamed.connect(self.rename)
        panel.snapshot_deleted.connect(self.delete)
        panel.compared_chosen.connect(self._follow)
        dock.visibilityChanged.connect(self._follow, Qt.ConnectionType.QueuedConnection)  # once it has come or gone
        wiring.session.frame_changed.connect(self._follow)  # after the wiring, which has given it to the panel

    def hold(self) -> None:
        """Keep the present state under the next free name."""
        name = snapshot_edits.next_name(self._wiring.session.state)
        self._wiring.apply(snapshot_edits.take_snapshot, name, label=f"Hold “{name}”")

    def restore(self, index: int) -> None:
        """Go back to a snapshot."""
        self._wiring.apply(snapshot_edits.restore_snapshot, index, label=f"Go Back to “{self._name(index)}”")

    def rename(self, index: int, name: str) -> None:
        """Give a snapshot another name."""
        self._wiring.apply(snapshot_edits.rename_snapshot, index, name, label=f"Rename “{self._name(index)}”")

    def delete(self, index: int) -> None:
        """Forget a snapshot."""
        self._wiring.apply(snapshot_edits.delete_snapshot, index, label=f"Forget “{self._name(index)}”")

    def _follow(self) -> None:
        self._plane.show_compared(self._panel.before)

    def _name(self, index: int) -> str:
        snapshots = self._wiring.session.state.snapshots
        return snapshots[index].name if 0 <= index < len(snapshots) else ""
