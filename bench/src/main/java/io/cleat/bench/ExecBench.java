package io.cleat.bench;

import static java.util.Objects.requireNonNull;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.ExecInput;
import io.cleat.api.ExecOutput;
import io.cleat.api.ExecStream;
import io.cleat.api.NodeDriver;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Commands in a running container over the API, in turns with the runtime's own {@code exec} in the same container. */
final class ExecBench implements Bench {
    private static final int TURNS = 40;
    private static final int FLOODS = 3;
    private static final int BYTES = 100_000_000;
    private static final int PIECE = 32 * 1024;
    private static final String JOB = "sleeper";
    private static final String TASK = "t";
    private static final List<String> FLOOD = List.of("head", "-c", "" + BYTES, "/dev/zero");
    private static final List<String> DRAIN = List.of("sh", "-c", "exec cat > /dev/null");

    @Override
    public String name() {
        return "exec";
    }

    @Override
    public String about() {
        return "commands in a running container";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent("alloc exec", "reason: needs root"));
        }
        try (DevProcess agent = DevProcess.start(scratch, Optional.empty())) {
            agent.awaitLeader();
            agent.register(Specs.sleeper(JOB));
            Until.soon("the container runs", () -> running(agent).isPresent());
            AllocationStub allocation = running(agent).orElseThrow();
            String runtime = runtime(agent, allocation.NodeID());
            Path container = container(agent.data(), allocation.ID());
            List<String> hand = List.of(
                    runtime,
                    "--root",
                    container.resolve("runtime").toString(),
                    "exec",
                    container.getFileName().toString());
            String peer = Path.of(runtime).getFileName() + " exec by hand";
            return List.of(
                    roundTrip(agent.client(), allocation.ID(), hand, peer),
                    output(agent.client(), allocation.ID(), hand, peer),
                    input(agent.client(), allocation.ID(), hand, peer));
        }
    }

    private static Optional<AllocationStub> running(DevProcess agent) throws UnexpectedAnswer, LinkTrouble {
        return agent.allocations().stream()
                .filter(one -> one.JobID().equals(JOB) && one.ClientStatus().equals("running"))
                .findFirst();
    }

    private static String runtime(DevProcess agent, String node) throws UnexpectedAnswer, LinkTrouble {
        Map<String, NodeDriver> drivers =
                agent.client().nodes().get(node, Params.none()).body().Drivers();
        Map<String, String> attributes = requireNonNull(drivers.get("exec")).Attributes();
        return requireNonNull(requireNonNull(attributes).get("driver.exec.runtime"));
    }

    private static Path container(Path data, String allocation) throws IOException {
        try (Stream<Path> all = Files.walk(data, 4)) {
            // A directory comes before what is in it.
            return all.filter(path -> path.toString().contains("/containers/" + allocation))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static BenchRow roundTrip(CleatClient client, String allocation, List<String> hand, String peer)
            throws Exception {
        List<String> command = List.of("true");
        Samples own = new Samples();
        Samples byHand = new Samples();
        for (int i = 0; i <= TURNS; i++) {
            long begin = System.nanoTime();
            try (ExecStream exec = client.allocations().exec(allocation, TASK, false, command)) {
                drain(exec);
            }
            long took = System.nanoTime() - begin;
            long tookByHand = Commands.run(words(hand, command));
            if (i > 0) {
                own.add(took);
                byHand.add(tookByHand);
            }
        }
        return BenchRow.of("alloc exec, round trip", own.median(), Unit.SECONDS)
                .limit(peer, byHand.median())
                .budget("no slower", own.median() <= byHand.median())
                .detail(own.tail());
    }

    private static BenchRow output(CleatClient client, String allocation, List<String> hand, String peer)
            throws Exception {
        Samples own = new Samples();
        Samples byHand = new Samples();
        for (int i = 0; i < FLOODS; i++) {
            long begin = System.nanoTime();
            try (ExecStream exec = client.allocations().exec(allocation, TASK, false, FLOOD)) {
                require(drain(exec));
            }
            own.add(System.nanoTime() - begin);
            begin = System.nanoTime();
            Process process = new ProcessBuilder(words(hand, FLOOD)).start();
            require(process.getInputStream().transferTo(OutputStream.nullOutputStream()));
            process.waitFor();
            byHand.add(System.nanoTime() - begin);
        }
        return BenchRow.of("alloc exec, output", BYTES / own.median(), Unit.BYTES_PER_SECOND)
                .limit(peer, BYTES / byHand.median());
    }

    private static BenchRow input(CleatClient client, String allocation, List<String> hand, String peer)
            throws Exception {
        Samples own = new Samples();
        Samples byHand = new Samples();
        byte[] piece = new byte[PIECE];
        for (int i = 0; i < FLOODS; i++) {
            long begin = System.nanoTime();
            try (ExecStream exec = client.allocations().exec(allocation, TASK, false, DRAIN)) {
                for (int left = BYTES; left > 0; left -= PIECE) {
                    exec.send(ExecInput.of(piece));
                }
                exec.send(ExecInput.end());
                drain(exec);
            }
            own.add(System.nanoTime() - begin);
            begin = System.nanoTime();
            Process process = new ProcessBuilder(words(hand, DRAIN)).start();
            try (OutputStream to = process.getOutputStream()) {
                for (int left = BYTES; left > 0; left -= PIECE) {
                    to.write(piece);
                }
            }
            process.waitFor();
            byHand.add(System.nanoTime() - begin);
        }
        return BenchRow.of("alloc exec, input", BYTES / own.median(), Unit.BYTES_PER_SECOND)
                .limit(peer, BYTES / byHand.median());
    }

    private static List<String> words(List<String> hand, List<String> command) {
        List<String> words = new ArrayList<>(hand);
        words.addAll(command);
        return words;
    }

    private static void require(long bytes) throws IOException {
        if (bytes != BYTES) {
            throw new IOException(bytes + " bytes came, not " + BYTES);
        }
    }

    /** Up to its end; how many bytes came. */
    private static long drain(ExecStream exec) throws Exception {
        long bytes = 0;
        for (Optional<ExecOutput> next = exec.next(); next.isPresent(); next = exec.next()) {
            ExecOutput.Stream out = next.get().stdout();
            bytes += out == null ? 0 : out.bytes().length;
        }
        return bytes;
    }
}
