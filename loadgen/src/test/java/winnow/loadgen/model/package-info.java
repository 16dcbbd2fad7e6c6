/// Tests of the service-time model against the paper's figures and synthetic data.
@NullMarked
package winnow.loadgen.model;

import org.jspecify.annotations.NullMarked;
