package winnow.loadgen.model;

/// Table 1 of the FioranoMQ paper: FioranoMQ 7.5 on one 3.2 GHz CPU of 2005.
///
/// The paper's grid has neither n = 0 nor r = 0 and so hardly determines t_rcv: 2 % of noise moves
/// it by more than its own size. t_fltr and t_tx are sound.
public final class PaperTable {

    public static final ServiceTimes CORRELATION_ID = new ServiceTimes(8.52e-7, 7.02e-6, 1.70e-5);
    public static final ServiceTimes PROPERTY = new ServiceTimes(4.10e-6, 1.46e-5, 1.62e-5);

    private PaperTable() {}
}
