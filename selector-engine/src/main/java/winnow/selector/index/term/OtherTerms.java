package winnow.selector.index.term;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Members;
import winnow.selector.slot.SlotValues;

/// The terms of one slot that are found otherwise than by a constant or a number: by what a string
/// begins with, ends with or contains, or by testing one after the other. Each part exists once it
/// is needed. One writer, many readers.
public final class OtherTerms {

    private final long hashSeed;
    private volatile @Nullable Prefixes prefixes;
    private volatile @Nullable Suffixes suffixes;
    private volatile @Nullable Substrings substrings;

    /// Content of [Members].
    private volatile @Nullable Object scanned;

    OtherTerms(long hashSeed) {
        this.hashSeed = hashSeed;
    }

    /// Finds the terms that the value of the slot makes true. Any thread.
    void probe(SlotValues values, int slot, TermVisitor matching) {
        if (values.kind(slot) == SlotValues.STRING) {
            probeString(values, slot, matching);
        }
        Object toScan = scanned;
        if (toScan != null) {
            matching.candidates(toScan);
        }
    }

    private void probeString(SlotValues values, int slot, TermVisitor matching) {
        Prefixes currentPrefixes = prefixes;
        if (currentPrefixes != null) {
            currentPrefixes.probe(values, slot, matching);
        }
        Suffixes currentSuffixes = suffixes;
        if (currentSuffixes != null) {
            currentSuffixes.probe(values, slot, matching);
        }
        Substrings currentSubstrings = substrings;
        if (currentSubstrings != null) {
            currentSubstrings.probe(values, slot, matching);
        }
    }

    /// For terms by what a string begins with; made when it is first asked for. Writer only.
    public Prefixes prefixes() {
        Prefixes current = prefixes;
        if (current == null) {
            current = new Prefixes(hashSeed);
            prefixes = current;
        }
        return current;
    }

    /// The same for terms by the number at the end of a string.
    public Suffixes suffixes() {
        Suffixes current = suffixes;
        if (current == null) {
            current = new Suffixes(hashSeed);
            suffixes = current;
        }
        return current;
    }

    /// The same for terms by what a string contains.
    public Substrings substrings() {
        Substrings current = substrings;
        if (current == null) {
            current = new Substrings();
            substrings = current;
        }
        return current;
    }

    /// Number of patterns that are found by the same text; many are counted as some. Writer only.
    int foundBy(PatternText text) {
        if (text.isPrefix()) {
            Prefixes current = prefixes;
            return current == null ? 0 : current.sharing(text.text());
        }
        Substrings current = substrings;
        return current == null ? 0 : current.sharing(text.text());
    }

    /// Adds a term that is tested for each message that has a value for the slot. Writer only.
    public void addScanned(ScannedTerm term) {
        scanned = Members.with(scanned, term);
    }

    /// Removes a term that was added so. Writer only.
    public void removeScanned(ScannedTerm term) {
        scanned = Members.without(scanned, term);
    }
}
