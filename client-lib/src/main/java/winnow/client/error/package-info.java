/// The exceptions of the API for every failure of the client and the broker. [ErrorCodes] are those
/// that applications may compare.
@NullMarked
package winnow.client.error;

import org.jspecify.annotations.NullMarked;
