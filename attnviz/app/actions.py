"""The table of all actions: menus, shortcuts, the cheat sheet and the tests of every action come from it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence

_K = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action of the program.

    Parameters
    ----------
    name : str
        Object name, and the key of its handler.
    menu : str
        The menu it stands in, as in ``"File"`` or ``"File/Export"``.
    text : str
        With a mnemonic; with an ellipsis only where input follows.
    tip : str
        One sentence for the status bar and the tooltip.
    keys : tuple of StandardKey or str
        Its shortcuts, the first one shown.
    checkable : bool
        Whether it is switched on and off.
    group : str
        Actions of one group exclude each other; empty for none.
    begins_section : bool
        Whether a separator stands above it.
    role : QAction.MenuRole
        Where macOS moves it; nowhere by default.
    """

    name: str
    menu: str
    text: str
    tip: str
    keys: tuple[QKeySequence.StandardKey | str, ...] = ()
    checkable: bool = False
    group: str = ""
    begins_section: bool = False
    role: QAction.MenuRole = QAction.MenuRole.NoRole


ACTIONS = (
    ActionSpec("new", "File", "&New", "Begin a new document with the start-up scene.", (_K.New,)),
    ActionSpec("gallery", "File", "New &from Scene…", "Choose a ready scene from the gallery.", ("Ctrl+Shift+N",)),
    ActionSpec("open", "File", "&Open…", "Open a document.", (_K.Open,)),
    ActionSpec(
        "import_embeddings",
        "File",
        "&Import Embeddings…",
        "Read word vectors from a file.",
        ("Ctrl+I",),
        begins_section=True,
    ),
    ActionSpec("save", "File", "&Save", "Save the document.", (_K.Save,), begins_section=True),
    ActionSpec("save_as", "File", "Save &As…", "Save the document under another name.", (_K.SaveAs, "Ctrl+Shift+S")),
    ActionSpec("export_figure", "File/Export", "&Figure…", "Save the heatmaps as SVG, PNG or PDF.", ("Ctrl+E",)),
    ActionSpec(
        "export_numbers", "File/Export", "&Numbers…", "Save every number as JSON, CSV or NPZ.", ("Ctrl+Shift+E",)
    ),
    ActionSpec("close", "File", "&Close", "Close this window.", (_K.Close, "Ctrl+W"), begins_section=True),
    ActionSpec("quit", "File", "&Quit", "Quit attnviz.", ("Ctrl+Q",), role=QAction.MenuRole.QuitRole),
    ActionSpec("undo", "Edit", "&Undo", "Take the last edit back.", (_K.Undo,)),
    ActionSpec("redo", "Edit", "&Redo", "Do again what was taken back.", ("Ctrl+Y", "Ctrl+Shift+Z")),
    ActionSpec("add_token", "Edit", "&Add Token", "Add a token at the end.", ("Ctrl+Return",), begins_section=True),
    ActionSpec("delete_token", "Edit", "&Delete Token", "Delete the chosen token.", ("Ctrl+Del",)),
    ActionSpec("rename_token", "Edit", "Re&name Token", "Type another name for the chosen token.", ("F2",)),
    ActionSpec(
        "token_up",
        "Edit",
        "Move Token U&p",
        "Let the chosen token change places with the one before.",
        ("Ctrl+Shift+Up",),
    ),
    ActionSpec(
        "token_down",
        "Edit",
        "Move Token Do&wn",
        "Let the chosen token change places with the one after.",
        ("Ctrl+Shift+Down",),
    ),
    ActionSpec(
        "other_list", "Edit", "Other &List of Tokens", "Edit the keys instead of the queries, or back.", ("Ctrl+G",)
    ),
    ActionSpec(
        "copy_tokens",
        "Edit",
        "&Copy Tokens",
        "Copy the marked rows of the token table, every digit.",
        ("Ctrl+Alt+T",),
        begins_section=True,
    ),
    ActionSpec(
        "paste_tokens",
        "Edit",
        "Past&e Tokens",
        "Put the rows in the clipboard after the chosen token.",
        ("Ctrl+Shift+V",),
    ),
    ActionSpec(
        "pin_number",
        "Edit/Pins",
        "&Pin Number…",
        "Put another number in the place of the chosen one of q, k, v, the scores or the weights; the rest follows.",
        ("F7",),
    ),
    ActionSpec("release_number", "Edit/Pins", "&Release", "Let the chosen number be computed again.", ("Shift+F7",)),
    ActionSpec(
        "release_all", "Edit/Pins", "Release &All", "Let every pinned number be computed again.", ("Ctrl+Shift+F7",)
    ),
    ActionSpec(
        "copy_image",
        "Edit",
        "Copy &Image",
        "Copy the panel that has the focus, or the weights, as a picture.",
        ("Ctrl+Shift+C",),
    ),
    ActionSpec(
        "copy_table",
        "Edit",
        "Copy &Table",
        "Copy the weights, or what is selected in the table panel, as a table.",
        ("Ctrl+Alt+C",),
    ),
    ActionSpec(
        "copy_csv", "Edit/CopyAs", "&CSV", "Copy the weights, or the table's selection, as CSV.", ("Ctrl+Alt+S",)
    ),
    ActionSpec(
        "copy_markdown",
        "Edit/CopyAs",
        "&Markdown",
        "Copy the weights, or the table's selection, as Markdown.",
        ("Ctrl+Alt+M",),
    ),
    ActionSpec(
        "copy_latex", "Edit/CopyAs", "&LaTeX", "Copy the weights, or the table's selection, as LaTeX.", ("Ctrl+Alt+L",)
    ),
    ActionSpec(
        "copy_numpy",
        "Edit/CopyAs",
        "&NumPy",
        "Copy the weights, or the table's selection, as NumPy code.",
        ("Ctrl+Alt+N",),
    ),
    ActionSpec("number_value", "Edit/CopyNumber", "&Value", "Copy the explained number, every digit.", ("Ctrl+Alt+V",)),
    ActionSpec(
        "number_latex",
        "Edit/CopyNumber",
        "Derivation as &LaTeX",
        "Copy where the explained number comes from as a formula.",
        ("Ctrl+Alt+X",),
    ),
    ActionSpec(
        "number_python",
        "Edit/CopyNumber",
        "&Python Program",
        "Copy a program that computes the explained number.",
        ("Ctrl+Alt+P",),
    ),
    ActionSpec(
        "copy_derivation",
        "Edit",
        "Copy Deri&vation",
        "Copy every step of the chosen weight, every digit.",
        ("Ctrl+Shift+D",),
    ),
    ActionSpec(
        "preferences",
        "Edit",
        "Pre&ferences…",
        "Choose theme and size of text.",
        ("Ctrl+,",),
        begins_section=True,
        role=QAction.MenuRole.PreferencesRole,
    ),
    ActionSpec("fit", "View", "&Fit the Plane", "Show every token on the plane.", ("Ctrl+F",)),
    ActionSpec("zoom_in", "View", "Zoom &In", "Magnify the plane.", ("Ctrl+Alt+=",)),
    ActionSpec("zoom_out", "View", "Zoom &Out", "Show more of the plane.", ("Ctrl+Alt+-",)),
    ActionSpec("refit", "View", "&Refit the Plane", "Fit the principal-component plane anew.", ("Ctrl+R",)),
    ActionSpec(
        "scores_raw",
        "View/Heatmaps",
        "Scores: Ra&w",
        "Show the dot products.",
        ("Ctrl+1",),
        checkable=True,
        group="stage",
        begins_section=True,
    ),
    ActionSpec(
        "scores_scaled",
        "View/Heatmaps",
        "Scores: &Scaled",
        "Show the scores times the multiplier.",
        ("Ctrl+2",),
        checkable=True,
        group="stage",
    ),
    ActionSpec(
        "scores_masked",
        "View/Heatmaps",
        "Scores: &Masked",
        "Show what the softmax sees.",
        ("Ctrl+3",),
        checkable=True,
        group="stage",
    ),
    ActionSpec(
        "weights_unit",
        "View/Heatmaps",
        "Weights: 0 to &1",
        "Let the colours of the weights run from 0 to 1.",
        ("Ctrl+4",),
        checkable=True,
        group="range",
        begins_section=True,
    ),
    ActionSpec(
        "weights_largest",
        "View/Heatmaps",
        "Weights: 0 to Lar&gest",
        "Let the colours of the weights run from 0 to the largest.",
        ("Ctrl+5",),
        checkable=True,
        group="range",
    ),
    ActionSpec(
        "explain_number",
        "View",
        "&Explain Number",
        "Show in the inspector where the number under the focus comes from, or the chosen one.",
        ("Ctrl+Shift+I",),
        begins_section=True,
    ),
    ActionSpec(
        "release",
        "View",
        "Release &Selection",
        "End a presentation, or put a panel that fills the window back, or let go of what is chosen and pointed at.",
        ("Esc",),
    ),
    ActionSpec(
        "table", "View/Table", "&Show Table", "Show any matrix of the pass as a table, and go there.", ("Ctrl+Shift+T",)
    ),
    ActionSpec(
        "sort_column",
        "View/Table",
        "Sort by &Column",
        "Sort the table by its current column: up, down, as in the document.",
        ("Ctrl+Shift+O",),
        begins_section=True,
    ),
    ActionSpec(
        "sort_names",
        "View/Table",
        "Sort by &Row Name",
        "Sort the table by its row names: up, down, as in the document.",
        ("Ctrl+Alt+R",),
    ),
    ActionSpec("film_forward", "View/Film", "Step &Forward", "Show the next step of the film.", ("Alt+Shift+Right",)),
    ActionSpec("film_back", "View/Film", "Step &Back", "Show the step before.", ("Alt+Shift+Left",)),
    ActionSpec("film_next_stage", "View/Film", "&Next Stage", "Go to the next stage.", ("Alt+Shift+PgDown",)),
    ActionSpec("film_previous_stage", "View/Film", "&Previous Stage", "Go to the stage before.", ("Alt+Shift+PgUp",)),
    ActionSpec("film_first", "View/Film", "F&irst Step", "Go to the beginning of the film.", ("Alt+Shift+Home",)),
    ActionSpec("film_last", "View/Film", "&Last Step", "Go to the end of the film.", ("Alt+Shift+End",)),
    ActionSpec(
        "film_next_query",
        "View/Film",
        "Next &Query",
        "Let the film follow the next query.",
        ("Alt+Shift+Down",),
        begins_section=True,
    ),
    ActionSpec(
        "film_previous_query",
        "View/Film",
        "Previous Q&uery",
        "Let the film follow the query before.",
        ("Alt+Shift+Up",),
    ),
    ActionSpec("film_rows", "View/Film", "One &Row or All", "Follow one query, or fill all rows.", ("Ctrl+Shift+A",)),
    ActionSpec("film_faster", "View/Film", "F&aster", "Double the speed, up to 8.", ("Ctrl+>",), begins_section=True),
    ActionSpec("film_slower", "View/Film", "&Slower", "Halve the speed, down to a quarter.", ("Ctrl+<",)),
    ActionSpec("film_loop", "View/Film", "Begin A&gain at the End", "Play without an end, or once.", ("Ctrl+Shift+L",)),
    ActionSpec("inspector_back", "View/Inspector", "&Back", "Explain the number before.", ("Ctrl+Alt+B",)),
    ActionSpec(
        "inspector_forward", "View/Inspector", "&Forward", "Explain the number gone back from.", ("Ctrl+Alt+F",)
    ),
    ActionSpec(
        "inspector_digits", "View/Inspector", "3 &Digits or All", "Write about three digits, or all.", ("Ctrl+6",)
    ),
    ActionSpec("theme_system", "View/Theme", "&System", "Follow the desktop's colours.", checkable=True, group="theme"),
    ActionSpec("theme_light", "View/Theme", "&Light", "Dark text on a light ground.", checkable=True, group="theme"),
    ActionSpec("theme_dark", "View/Theme", "&Dark", "Light text on a dark ground.", checkable=True, group="theme"),
    ActionSpec("font_larger", "View/Font", "&Larger", "Enlarge all text, up to 200 %.", ("Ctrl++", "Ctrl+=")),
    ActionSpec("font_smaller", "View/Font", "&Smaller", "Reduce all text, down to 80 %.", ("Ctrl+-",)),
    ActionSpec("font_reset", "View/Font", "&Normal", "Give all text its normal size.", ("Ctrl+0",)),
    ActionSpec(
        "maximise",
        "View",
        "Ma&ximise Panel",
        "Let the panel with the focus fill the window, or put it back.",
        ("Ctrl+M",),
        begins_section=True,
    ),
    ActionSpec("next_pane", "View", "&Next Panel", "Move the focus to the next panel.", ("F6",)),
    ActionSpec("previous_pane", "View", "Pre&vious Panel", "Move the focus to the panel before.", ("Shift+F6",)),
    ActionSpec(
        "film", "View", "Pl&ay Film", "Show the film of one forward pass, and play or pause it.", ("Ctrl+Space",)
    ),
    ActionSpec(
        "stages",
        "View",
        "Show Sta&ges",
        "Show every matrix of the pass from embeddings to outputs, and go there.",
        ("Ctrl+Shift+G",),
    ),
    ActionSpec(
        "present",
        "View/Presentation",
        "&Present",
        "Fill the screen with the panel that has the focus, in large type.",
        ("F11", "F5"),
        checkable=True,
    ),
    ActionSpec("next_view", "View/Presentation", "&Next View", "Present the next panel or pair of panels.", ("F8",)),
    ActionSpec(
        "previous_view", "View/Presentation", "Pre&vious View", "Present the panel or pair before.", ("Shift+F8",)
    ),
    ActionSpec(
        "spotlight",
        "View/Presentation",
        "&Spotlight",
        "Let a light follow the pointer in presentations.",
        ("Ctrl+L",),
        checkable=True,
    ),
    ActionSpec("end_presentation", "View/Presentation", "&End Presentation", "Put the window back as it was (Esc)."),
    ActionSpec(
        "full_screen",
        "View",
        "F&ull Screen",
        "Fill the screen with the window.",
        ("Ctrl+Shift+F",),
        checkable=True,
    ),
    ActionSpec("reset_layout", "View", "Reset &Layout", "Put every panel back in its first place.", ("Ctrl+Shift+R",)),
    ActionSpec(
        "causal",
        "Model",
        "&Causal Mask",
        "Let each query see the keys up to its own place only.",
        ("Ctrl+K",),
        checkable=True,
    ),
    ActionSpec(
        "sweep", "Model", "Auto-&Play Temperature", "Sweep the temperature up and down.", ("Ctrl+P",), checkable=True
    ),
    ActionSpec("temperature_up", "Model", "Temperature &Up", "Raise T by one step of its box.", ("F4",)),
    ActionSpec("temperature_down", "Model", "Temperature Dow&n", "Lower T by one step of its box.", ("F3",)),
    ActionSpec("key_width_up", "Model", "Key &Width Up", "Raise d_k by 1.", ("Shift+F4",)),
    ActionSpec("key_width_down", "Model", "Key Width D&own", "Lower d_k by 1.", ("Shift+F3",)),
    ActionSpec("redraw", "Model", "New &Draw", "Draw other columns for d_k beyond the written ones.", ("Ctrl+D",)),
    ActionSpec("reset_controls", "Model", "&Reset Temperature", "Set T back to 1.", ("Ctrl+T",), begins_section=True),
    ActionSpec(
        "reset_key_width",
        "Model",
        "Reset &Key Width",
        "Set d_k back to the columns that are written down.",
        ("Ctrl+Alt+K",),
    ),
    ActionSpec(
        "mask_panel",
        "Lab",
        "&Mask and Softmax",
        "Choose which keys a query may see, where the mask acts and how logits become weights.",
        ("Ctrl+Shift+M",),
    ),
    ActionSpec(
        "paint_mask",
        "Lab/Mask",
        "&Paint",
        "Ban and allow cells on the heatmaps, with the mouse or the keyboard (X), until Esc.",
        ("Ctrl+Shift+B",),
        checkable=True,
    ),
    ActionSpec(
        "invert_mask", "Lab/Mask", "&Invert", "Allow what the mask bans and ban what it allows.", ("Ctrl+Alt+I",)
    ),
    ActionSpec("clear_mask", "Lab/Mask", "&Clear", "Take the mask and padding away.", ("Ctrl+Alt+U",)),
    ActionSpec(
        "import_mask",
        "Lab/Mask",
        "I&mport…",
        "Read a mask from a file, and choose what True means in it.",
        ("Ctrl+Alt+O",),
    ),
    ActionSpec(
        "reroll", "Lab/Mask", "&Re-roll Dropout", "Drop other weights: the next seed of dropout.", ("Ctrl+Shift+K",)
    ),
    ActionSpec(
        "heads_panel", "Lab", "&Heads", "Share the channels out among several heads, and see each.", ("Ctrl+Shift+H",)
    ),
    ActionSpec("next_head", "Lab", "&Next Head", "Show the next head in every panel.", ("Ctrl+PgDown",)),
    ActionSpec("previous_head", "Lab", "&Previous Head", "Show the head before in every panel.", ("Ctrl+PgUp",)),
    ActionSpec(
        "positions_panel",
        "Lab",
        "P&ositions",
        "Choose how the model learns the order of tokens.",
        ("Ctrl+Shift+W",),
        begins_section=True,
    ),
    ActionSpec(
        "palette", "Help", "Command &Palette…", "Find any action by a few letters of its name.", ("Ctrl+Shift+P",)
    ),
    ActionSpec("contents", "Help", "&Contents", "How to use attnviz.", ("F1",)),
    ActionSpec("shortcuts", "Help", "&Shortcuts", "Every shortcut on one page.", ("Ctrl+?",)),
    ActionSpec("whats_this", "Help", "&What's This?", "Click something to have it explained.", ("Shift+F1",)),
    ActionSpec(
        "report", "Help", "Copy &Details for a Report", "Copy versions and system for a report.", begins_section=True
    ),
    ActionSpec("about", "Help", "&About attnviz", "Version and licences.", role=QAction.MenuRole.AboutRole),
)
