package winnow.broker.config;

/// A name of destinations in which `*` stands for any text. Immutable.
public record NamePattern(String name) {
    /// True if a name fits. Takes a time of both lengths multiplied at most, whatever the pattern.
    public boolean fits(String text) {
        int at = 0;
        int next = 0;
        int star = -1;
        int afterStar = 0;
        while (next < text.length()) {
            if (at < name.length() && name.charAt(at) == '*') {
                star = at++;
                afterStar = next;
            } else if (at < name.length() && name.charAt(at) == text.charAt(next)) {
                at++;
                next++;
            } else if (star >= 0) {
                // The last star stands for one character more.
                at = star + 1;
                next = ++afterStar;
            } else {
                return false;
            }
        }
        while (at < name.length() && name.charAt(at) == '*') {
            at++;
        }
        return at == name.length();
    }
}
