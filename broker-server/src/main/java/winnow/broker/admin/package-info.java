/// Answers to what operators ask a running broker over HTTP, as JSON.
///
/// The pages of [AdminApi] add a [Route] for each question; [Routes] finds the one that a request
/// is for, and [OpenApi] describes all of them. [BrokerState] knows what goes on in the broker,
/// [Explanations] how a subscription's selector is doing, [DetailedMetrics] which topics' metrics
/// are asked for, [UserPages] changes users by [BrokerUsers]. [ProtectedPage] demands credentials,
/// [StartPage] is for browsers.
@NullMarked
package winnow.broker.admin;

import org.jspecify.annotations.NullMarked;
