package winnow.loadgen.run;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.workload.Point;

/// Writes results as they come, `points.jsonl` and `points.csv`, and reads the former back. Owned
/// by the coordinator's thread.
public final class ResultFiles implements AutoCloseable {

    private static final String CSV_COLUMNS =
            "scenario,position,repetition,use,filter,publishers,r,n,n_fltr,"
                    + "topics,groups,alternatives,conditions,order,body_bytes,series,seconds,"
                    + "received_per_s,dispatched_per_s,overall_per_s,"
                    + "broker_us_per_received,broker_us_per_message,client_us_per_message,"
                    + "broker_share,client_share,machine_share,stolen_share,"
                    + "slowdown,drift,weight,limit,"
                    + "expected_copies,delivered_copies,lost,doubled,"
                    + "matching,seed,started,run,messages,verdict,reasons\n";

    /// Columns from `seconds` to `doubled`.
    private static final int FIGURES = 19;

    /// More than any measurement is exact to.
    private static final MathContext DIGITS = new MathContext(6);

    private static final ObjectMapper JSON = mapper();

    private final Path directory;
    private final Writer lines;
    private final Writer csv;
    private @Nullable LoadException failure;
    private boolean frozen;

    /// Creates the directory and both files; adds to them if they exist.
    ///
    /// @throws LoadException if there is a table with other columns
    public ResultFiles(Path directory) throws IOException, LoadException {
        this.directory = directory;
        Files.createDirectories(directory);
        var table = directory.resolve("points.csv");
        var fresh = Files.notExists(table) || Files.size(table) == 0;
        if (!fresh) {
            checkColumns(table);
        }
        lines = append(directory.resolve("points.jsonl"));
        csv = append(table);
        if (fresh) {
            csv.write(CSV_COLUMNS);
        }
    }

    private static void checkColumns(Path table) throws IOException, LoadException {
        try (var rows = Files.lines(table)) {
            var found = rows.findFirst().orElse("");
            if (!found.equals(CSV_COLUMNS.strip())) {
                throw new LoadException(
                        "%s: expected the columns %s, found %s: choose another --out"
                                .formatted(table, CSV_COLUMNS.strip(), found));
            }
        }
    }

    /// Folder of the files.
    public Path directory() {
        return directory;
    }

    /// All runs in one file of JSON lines, in order. Lines that were cut off, by a full disk or a
    /// process that was killed, are left out.
    ///
    /// @param warnings gets a sentence for each line that is left out
    /// @throws LoadException if the file is not one of ours, with the number of the line
    public static List<Run> read(Path file, Consumer<String> warnings) throws LoadException {
        var runs = new ArrayList<Run>();
        var number = 0;
        for (var text : lines(file)) {
            number++;
            if (text.isBlank()) {
                continue;
            }
            if (isCut(text)) {
                warnings.accept("%s line %d is cut off and left out".formatted(file, number));
                continue;
            }
            try {
                switch (JSON.readValue(text, ResultLine.class)) {
                    case RunHeader header -> runs.add(new Run(header, List.of()));
                    case Measurement measurement -> runs.add(last(runs).with(measurement));
                    case FailedPoint failed -> runs.add(last(runs).with(failed));
                    case null -> throw new IllegalStateException("found null");
                }
            } catch (JsonProcessingException | IllegalStateException malformed) {
                throw new LoadException(
                        "%s line %d: expected a result, %s"
                                .formatted(file, number, reason(malformed)));
            }
        }
        return runs;
    }

    /// A run's header as it is in files.
    public static JsonNode json(RunHeader header) {
        return JSON.valueToTree(header);
    }

    /// Fault of a line, without what Jackson says of its own.
    private static String reason(Exception malformed) {
        return switch (malformed) {
            case InvalidTypeIdException other -> "found the type '" + other.getTypeId() + "'";
            case ValueInstantiationException refused when refused.getCause() != null ->
                    String.valueOf(refused.getCause().getMessage());
            case JsonProcessingException other -> "found: " + other.getOriginalMessage();
            default -> String.valueOf(malformed.getMessage());
        };
    }

    /// True of the beginning of one of our lines, which are JSON objects.
    private static boolean isCut(String text) {
        if (!text.startsWith("{")) {
            return false;
        }
        try {
            JSON.readTree(text);
            return false;
        } catch (JsonProcessingException broken) {
            return broken instanceof JsonEOFException || !text.endsWith("}");
        }
    }

    void write(RunHeader header) throws LoadException {
        store(header, "");
    }

    void write(RunHeader header, Measurement measurement) throws LoadException {
        store(measurement, csvLine(header, measurement));
    }

    void write(RunHeader header, FailedPoint failed) throws LoadException {
        store(failed, csvLine(header, failed));
    }

    /// Does nothing after a failure: what follows a cut line could belong to another run.
    ///
    /// @throws LoadException the first time that it fails
    private synchronized void store(ResultLine line, String row) throws LoadException {
        if (failure != null || frozen) {
            return;
        }
        try {
            lines.write(JSON.writerFor(ResultLine.class).writeValueAsString(line));
            lines.write('\n');
            lines.flush();
            csv.write(row);
            csv.flush();
        } catch (IOException unwritten) {
            failure = new LoadException("cannot write results to " + directory, unwritten);
            throw failure;
        }
    }

    /// Adds nothing from now on: what fails while a command is stopped is no result. Any thread may
    /// call it.
    public synchronized void freeze() {
        frozen = true;
    }

    /// Reason why there is less in the files than was to be written; empty if all is there.
    public Optional<LoadException> failure() {
        return Optional.ofNullable(failure);
    }

    /// Everything is written when it comes: there is nothing left that could fail.
    @Override
    public void close() throws IOException {
        try (lines;
                csv) {
            if (failure == null) {
                csv.flush();
            }
        } catch (IOException unwritten) {
            if (failure == null) {
                throw unwritten;
            }
        }
    }

    static String csvLine(RunHeader header, Measurement measurement) {
        var point = measurement.point();
        var accounting = measurement.accounting();
        // By what is known so far; the report knows the whole run.
        var validity = Validity.of(measurement, header, header.referenceMicros());
        var verdict = Verdict.of(measurement, validity);
        var matching = measurement.matching();
        var fields = columns(header, measurement.position(), measurement.repetition(), point);
        fields.addAll(
                List.<Object>of(
                        measurement.seconds(),
                        Math.round(measurement.receivedPerSecond()),
                        Math.round(measurement.dispatchedPerSecond()),
                        Math.round(measurement.overallPerSecond()),
                        known(measurement.brokerMicrosPerReceived().orElse(Double.NaN)),
                        known(measurement.brokerMicrosPerMessage().orElse(Double.NaN)),
                        known(measurement.clientMicrosPerMessage()),
                        known(validity.brokerShare()),
                        known(validity.clientShare()),
                        known(validity.machineShare()),
                        known(measurement.conditions().machineStolenShare()),
                        known(validity.disturbance().slowdown()),
                        known(validity.disturbance().drift()),
                        known(validity.disturbance().weight()),
                        validity.limit().label(),
                        accounting.expected(),
                        accounting.delivered(),
                        accounting.lost(),
                        accounting.doubled(),
                        matching == null ? "" : matching,
                        header.seed(),
                        header.started(),
                        header.id(),
                        header.settings().messages(),
                        verdict.status().label(),
                        quoted(verdict.reason())));
        return line(fields);
    }

    /// Columns up to `series`.
    private static List<Object> columns(
            RunHeader header, int position, int repetition, Point point) {
        return new ArrayList<>(
                List.<Object>of(
                        header.scenario(),
                        position,
                        repetition,
                        point.use().label(),
                        point.filter().label(),
                        point.publishers(),
                        point.matching(),
                        point.others(),
                        point.installedFilters(),
                        point.topics(),
                        point.groups(),
                        point.alternatives(),
                        point.conditions(),
                        point.order().label(),
                        point.bodyBytes(),
                        quoted(point.series())));
    }

    /// A row whose figures are empty.
    static String csvLine(RunHeader header, FailedPoint failed) {
        var fields = columns(header, failed.position(), failed.repetition(), failed.point());
        fields.addAll(Collections.nCopies(FIGURES, ""));
        var verdict = Verdict.of(failed);
        fields.addAll(
                List.of(
                        "",
                        header.seed(),
                        header.started(),
                        header.id(),
                        header.settings().messages(),
                        verdict.status().label(),
                        quoted(verdict.reason())));
        return line(fields);
    }

    private static String line(List<Object> fields) {
        return String.join(",", fields.stream().map(Object::toString).toList()) + "\n";
    }

    /// A text field, in one line (RFC 4180).
    private static String quoted(String text) {
        return text.isEmpty() ? "" : '"' + text.replaceAll("\\R", " ").replace("\"", "\"\"") + '"';
    }

    private static List<String> lines(Path file) throws LoadException {
        try {
            // A line may be cut within a letter.
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException failed) {
            throw new LoadException("cannot read results from " + file, failed);
        }
    }

    /// Takes the run away to which the next point belongs.
    private static Run last(List<Run> runs) {
        if (runs.isEmpty()) {
            throw new IllegalStateException("found a point without a run before it");
        }
        return runs.removeLast();
    }

    /// Begins a line of its own, though the last one may have been cut off.
    private static Writer append(Path file) throws IOException {
        var cut = endsWithinLine(file);
        var writer =
                Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (cut) {
            writer.write('\n');
        }
        return writer;
    }

    private static boolean endsWithinLine(Path file) throws IOException {
        if (Files.notExists(file) || Files.size(file) == 0) {
            return false;
        }
        try (var bytes = FileChannel.open(file)) {
            var last = ByteBuffer.allocate(1);
            return bytes.read(last, bytes.size() - 1) == 1 && last.get(0) != '\n';
        }
    }

    /// An unknown figure is an empty field, and so is one per message where there was none.
    private static String known(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).round(DIGITS).toPlainString()
                : "";
    }

    private static ObjectMapper mapper() {
        var durations = new SimpleModule();
        durations.addSerializer(Duration.class, ToStringSerializer.instance);
        durations.addDeserializer(
                Duration.class,
                new StdScalarDeserializer<Duration>(Duration.class) {
                    private static final long serialVersionUID = 1;

                    @Override
                    public Duration deserialize(JsonParser parser, DeserializationContext context)
                            throws IOException {
                        return Duration.parse(parser.getText());
                    }
                });
        return new ObjectMapper().registerModule(durations);
    }
}
