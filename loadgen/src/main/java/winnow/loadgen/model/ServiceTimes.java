package winnow.loadgen.model;

/// The three parts of the time that a broker is busy with one message. Immutable.
///
/// B = t_rcv + n_fltr * t_fltr + r * t_tx (FioranoMQ paper, section 4.9, equation 1)
///
/// @param receiveSeconds t_rcv: receiving one message, whatever is installed
/// @param filterSeconds t_fltr: trying one installed filter
/// @param transmitSeconds t_tx: forwarding one copy
public record ServiceTimes(double receiveSeconds, double filterSeconds, double transmitSeconds) {

    /// B, the mean time in seconds that the broker is busy with one message.
    ///
    /// @param installedFilters n_fltr, matching or not
    /// @param replicationGrade r, copies per message
    public double serviceSeconds(double installedFilters, double replicationGrade) {
        return receiveSeconds
                + installedFilters * filterSeconds
                + replicationGrade * transmitSeconds;
    }

    /// Messages received plus copies dispatched per second of a fully loaded broker: (r + 1) / B.
    public double overallPerSecond(double installedFilters, double replicationGrade) {
        return (replicationGrade + 1) / serviceSeconds(installedFilters, replicationGrade);
    }
}
