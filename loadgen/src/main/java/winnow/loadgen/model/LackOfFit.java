package winnow.loadgen.model;

/// The F tests of whether the model bends away from what was measured. They compare what the model
/// leaves unexplained with pure error, the scatter of a point's repetitions. Immutable.
///
/// @param pureErrorShare standard deviation of one measurement of B around others of the same
///   point, as a share of B, at the mean weight; not a number without repetitions
/// @param pValue probability of so much lack of fit if the model held exactly; not a number without
///   repetitions
/// @param gradePValue the same for a term of its own for each replication grade, beside what single
///   points scatter: batches of copies give such terms, because how many leave with one write
///   depends on r
public record LackOfFit(double pureErrorShare, double pValue, double gradePValue) {

    /// Above the usual 5 %, because a term that is overlooked makes intervals too narrow, and one
    /// that is not there makes them only somewhat too wide (simulated: 93 to 98 % coverage).
    private static final double GRADE_LEVEL = 0.25;

    /// True if the repetitions say that the model misses some points by more than pure error.
    public boolean isSignificant() {
        return pValue < 0.05;
    }

    /// True if intervals have to allow for an error that all points of one replication grade share.
    public boolean isByGrade() {
        return gradePValue < GRADE_LEVEL;
    }
}
