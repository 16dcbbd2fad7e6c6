/// Distributed transactions: [BranchResource] is what a transaction manager calls, [Branches] knows
/// how far each [Branch] of a connection is, [BranchWork] what a session has done in it.
@NullMarked
package winnow.client.xa;

import org.jspecify.annotations.NullMarked;
