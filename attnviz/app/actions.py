"""The table of all actions: menus, shortcuts, the cheat sheet and the tests of every action come from it."""

from __future__ import annotations

from PySide6.QtGui import QAction, QKeySequence

from attnviz.app.action_spec import ActionSpec
from attnviz.app.view_actions import VIEW_ACTIONS

_K = QKeySequence.StandardKey

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
    *VIEW_ACTIONS,
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
        "matrices",
        "Lab",
        "Matric&es",
        "Show the matrices as numbers to type, to scrub and to shape, and go there.",
        ("Ctrl+J",),
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
        ("Ctrl+B",),
        checkable=True,
    ),
    ActionSpec(
        "invert_mask", "Lab/Mask", "&Invert", "Allow what the mask bans and ban what it allows.", ("Ctrl+Alt+I",)
    ),
    ActionSpec("clear_mask", "Lab/Mask", "&Clear", "Take the mask and padding away.", ("Ctrl+Alt+Z",)),
    ActionSpec(
        "import_mask",
        "Lab/Mask",
        "I&mport…",
        "Read a mask from a file, and choose what True means in it.",
        ("Ctrl+Alt+O",),
    ),
    ActionSpec(
        "reroll", "Lab/Mask", "&Re-roll Dropout", "Drop other weights: the next seed of dropout.", ("Ctrl+Shift+J",)
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
        "compare_panel",
        "Lab",
        "&Compare",
        "Show the state that is held as A beside the present one, and their difference.",
        ("Ctrl+Shift+K",),
        begins_section=True,
    ),
    ActionSpec(
        "hold", "Lab", "Hold as &A", "Keep the present state, to compare what follows with it.", ("Ctrl+Shift+B",)
    ),
    ActionSpec(
        "permutation_panel",
        "Lab",
        "Permu&tation",
        "Shuffle or sort the tokens, and see what that does to the outputs.",
        ("Ctrl+Shift+U",),
    ),
    ActionSpec("shuffle", "Lab", "&Shuffle", "Try the next shuffled order in the permutation panel.", ("Ctrl+Alt+U",)),
    ActionSpec(
        "cross",
        "Lab",
        "Cross-Attent&ion",
        "Let keys and values come from a list of tokens of their own, or from the queries' again; both lists are kept.",
        ("Ctrl+Shift+X",),
        checkable=True,
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
