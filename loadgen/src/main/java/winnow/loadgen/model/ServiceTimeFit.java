package winnow.loadgen.model;

import org.jspecify.annotations.Nullable;

/// The model fitted to measurements, and how well. Immutable.
///
/// @param times the fitted parameters
/// @param quality null where there are too few points to tell: three parameters go through three
///   points exactly, whatever these are
/// @param conditionNumber of the weighted design, columns scaled to unit length: how much noise in
///   B can grow on its way into a parameter
/// @param observations how many measurements were fitted
public record ServiceTimeFit(
        ServiceTimes times,
        @Nullable FitQuality quality,
        double conditionNumber,
        int observations) {}
