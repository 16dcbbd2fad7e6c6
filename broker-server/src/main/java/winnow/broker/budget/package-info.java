/// Memory that clients fill and the broker counts: names and subscriptions in [MetadataBudget],
/// messages under way in [IntakeMemory] and [TransactionMemory].
@NullMarked
package winnow.broker.budget;

import org.jspecify.annotations.NullMarked;
