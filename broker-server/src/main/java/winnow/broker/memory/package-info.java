/// The heap that the broker's budgets share. It knows none of them. [OwnerShares] divide a budget
/// among users or addresses.
@NullMarked
package winnow.broker.memory;

import org.jspecify.annotations.NullMarked;
