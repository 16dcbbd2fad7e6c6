/// A request to the HTTP API: its parameters, who asks, and what it may; [ProblemException] refuses
/// it.
@NullMarked
package winnow.broker.admin.request;

import org.jspecify.annotations.NullMarked;
