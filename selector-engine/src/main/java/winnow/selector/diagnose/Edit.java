package winnow.selector.diagnose;

/// Replaces a part of a text.
record Edit(int start, int end, String replacement) {}
