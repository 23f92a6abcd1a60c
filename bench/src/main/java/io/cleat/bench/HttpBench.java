package io.cleat.bench;

import io.cleat.api.AllocationStub;
import io.cleat.bench.LoadProgram.Answered;
import io.cleat.bench.LoadProgram.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/**
 * What users wait for: writes and reads of a {@code ./cleat dev} over HTTP, from a client in a process of its own.
 * Reads are measured in turns with a handler of the same HTTP server that has the same bytes ready; registrations
 * beside those of the same callers in one process.
 */
final class HttpBench implements Bench {
    private static final int VOLUMES = Integer.getInteger("cleat.bench.volumes", 100_000);
    private static final String PLUGIN = "bench";
    private static final int TURNS = 3;
    private static final Duration SPAN = Duration.ofSeconds(3);

    /** Within which memory that a load has taken is to be given back. */
    private static final Duration QUIET = Duration.ofMinutes(5);

    /** Queries that wait at once, for how long, and for a version that does not come. */
    private static final int WAITING = 2_000;

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final long NEVER = 1L << 40;

    /** Spans at most until what is asked is answered as fast as it will be; by how much each is faster until then. */
    private static final int SETTLING = 8;

    private static final double SETTLED = 1.05;
    private static final double GET = 0.7;
    private static final double PAGE = 0.5;
    private static final double IN_PROCESS = 0.5;
    private static final double OVER_IN_PROCESS = 150e-6;
    private static final double LIST = 150e6;
    private static final String LIMIT = "a bare handler";

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String about() {
        return "writes and reads over HTTP, beside " + VOLUMES + " volumes";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent("http", "reason: needs root"));
        }
        LoadProgram load = LoadProgram.build(scratch);
        Path bareDirectory = Files.createDirectory(scratch.resolve("bare"));
        Path pool = Files.createDirectory(scratch.resolve("pool"));
        try (DevProcess agent = DevProcess.start(scratch, Optional.empty());
                BareServer bare = BareServer.start(bareDirectory, Jvm.more())) {
            agent.awaitLeader();
            agent.awaitPlugin(DevProcess.PLUGIN);
            agent.register(Specs.nodePlugin(PLUGIN, pool));
            agent.awaitPlugin(PLUGIN);
            Run run = new Run(load, agent, bare);
            List<BenchRow> rows = new ArrayList<>();
            rows.add(run.begin());
            for (int callers : new int[] {1, 16, 64}) {
                rows.add(run.registrations(callers, scratch));
            }
            rows.add(run.jobs());
            rows.add(run.fill());
            for (int clients : new int[] {1, 16, 64, 256}) {
                rows.add(run.gets(clients));
            }
            rows.add(run.getsOverTcp());
            rows.add(run.pages(1));
            rows.add(run.pages(16));
            rows.add(run.filtered());
            rows.add(run.list());
            rows.add(run.plugin());
            rows.add(run.allocation());
            rows.add(run.waiting());
            rows.add(run.memory("memory of the agent after that"));
            Thread.sleep(QUIET);
            rows.add(run.memory("the same, five quiet minutes later"));
            return rows;
        }
    }

    /** One measurement beside one agent. */
    private static final class Run {
        private final LoadProgram load;
        private final DevProcess agent;
        private final BareServer bare;
        private final ApiRequest.Endpoint socket;
        private long volumes;

        Run(LoadProgram load, DevProcess agent, BareServer bare) throws IOException {
            this.load = load;
            this.agent = agent;
            this.bare = bare;
            this.socket =
                    ApiRequest.Endpoint.unix(agent.data().resolve("http.sock").toString());
        }

        @FunctionalInterface
        private interface Asking {
            Answered once() throws IOException, InterruptedException;
        }

        /**
         * What was answered.
         *
         * @param each seconds of processor that the server took for one answer
         */
        private record Served(Answered answered, double each) {
            double perSecond() {
                return answered.perSecond();
            }

            String words() {
                return answered.words() + ", processor of the server " + Unit.SECONDS.text(each);
            }
        }

        private static Served served(long server, Asking asking) throws IOException, InterruptedException {
            Duration before = Pids.processorTotal(server);
            Answered answered = asking.once();
            Duration used = Pids.processorTotal(server).minus(before);
            return new Served(answered, used.toNanos() / 1e9 / answered.answers());
        }

        /**
         * Asks until it goes no faster: code is compiled once it has run for long.
         *
         * @return what the first span was answered, which was compiled least
         */
        private static Answered settle(Asking asking) throws IOException, InterruptedException {
            Answered first = asking.once();
            double before = first.perSecond();
            for (int i = 1; i < SETTLING; i++) {
                double now = asking.once().perSecond();
                if (now < SETTLED * before) {
                    break;
                }
                before = now;
            }
            return first;
        }

        /** The first registrations of a server that has just begun; after it they are as fast as they will be. */
        BenchRow begin() throws IOException, InterruptedException {
            Answered first = settle(() -> register(16));
            return BenchRow.of("register a volume, 16 clients, the first 3 s", first.perSecond(), Unit.PER_SECOND)
                    .detail(first.words());
        }

        private Answered register(int callers) throws IOException, InterruptedException {
            ApiRequest request = ApiRequest.registerVolume(PLUGIN);
            Answered answered = load.run(socket, callers, SPAN, request, Numbers.from(volumes));
            volumes += answered.answers();
            return answered;
        }

        private Answered ask(int clients, ApiRequest request, Numbers numbers)
                throws IOException, InterruptedException {
            return load.run(socket, clients, SPAN, request, numbers);
        }

        BenchRow registrations(int callers, Path scratch) throws Exception {
            Served answered = served(agent.pid(), () -> register(callers));
            Path log = Files.createDirectory(scratch.resolve("log-" + callers));
            double inProcess = new CommitBench().perSecond(log, callers);
            double rate = answered.perSecond();
            BenchRow row = BenchRow.of("register a volume, " + clients(callers), rate, Unit.PER_SECOND)
                    .limit("in one process", inProcess)
                    .detail(answered.words());
            if (callers == 1) {
                return row.budget("150 us over it", 1 / rate <= 1 / inProcess + OVER_IN_PROCESS);
            }
            return row.budget("half of it", rate >= IN_PROCESS * inProcess);
        }

        BenchRow jobs() throws IOException, InterruptedException {
            Answered answered = load.run(socket, 16, SPAN, ApiRequest.registerJob(), Numbers.from(0));
            return BenchRow.of("register a job, 16 clients", answered.perSecond(), Unit.PER_SECOND)
                    .detail(answered.words());
        }

        /** Until there are as many volumes as reads are measured beside. */
        BenchRow fill() throws IOException, InterruptedException {
            Answered last = register(64);
            while (volumes < VOLUMES) {
                last = register(64);
            }
            return BenchRow.of("register the last of " + volumes + ", 64 clients", last.perSecond(), Unit.PER_SECOND)
                    .detail(last.words());
        }

        private ApiRequest volume() {
            return ApiRequest.get("/v1/volume/csi/vol-" + ApiRequest.NUMBER);
        }

        private ApiRequest page() {
            return ApiRequest.get("/v1/volumes?type=csi&per_page=100&next_token=" + middle());
        }

        private String middle() {
            return "default.vol-%08d".formatted(volumes / 2);
        }

        BenchRow gets(int clients) throws IOException, InterruptedException {
            BenchRow row = beside(
                    "get a volume, " + clients(clients), clients, volume(), "volume", "/v1/volume/csi/vol-00000001");
            return budget(row, GET);
        }

        BenchRow getsOverTcp() throws IOException, InterruptedException {
            ApiRequest.Endpoint port = ApiRequest.Endpoint.tcp(agent.port(), agent.token());
            Answered answered = load.run(port, 16, SPAN, volume(), Numbers.below(volumes));
            return BenchRow.of("the same over TCP, 16 clients", answered.perSecond(), Unit.PER_SECOND)
                    .detail(answered.words());
        }

        BenchRow pages(int clients) throws IOException, InterruptedException {
            String path = "/v1/volumes?type=csi&per_page=100&next_token=" + middle();
            return budget(beside("page of 100, " + clients(clients), clients, page(), "page", path), PAGE);
        }

        BenchRow filtered() throws IOException, InterruptedException {
            String path = "/v1/volumes?type=csi&per_page=10&filter=ID%20matches%20%22vol-000000.0%22";
            return beside("page by a filter, 1 client", 1, ApiRequest.get(path), "few", path);
        }

        BenchRow list() throws IOException, InterruptedException {
            Answered answered = ask(1, ApiRequest.get("/v1/volumes?type=csi"), Numbers.from(0));
            double rate = answered.bytesPerSecond();
            return BenchRow.of("whole list, 1 client", rate, Unit.BYTES_PER_SECOND)
                    .budget("150 MB/s", rate >= LIST)
                    .detail(answered.words());
        }

        BenchRow plugin() throws IOException, InterruptedException {
            String path = "/v1/plugin/csi/" + DevProcess.PLUGIN;
            return beside("get a plugin, 16 clients", 16, ApiRequest.get(path), "plugin", path);
        }

        BenchRow allocation() throws Exception {
            AllocationStub first = agent.allocations().getFirst();
            String path = "/v1/allocation/" + first.ID();
            return beside("get an allocation, 16 clients", 16, ApiRequest.get(path), "allocation", path);
        }

        /** What each client takes of the agent's heap that waits for news of a volume, with its connection. */
        BenchRow waiting() throws Exception {
            ApiRequest news = ApiRequest.get(
                    "/v1/volume/csi/vol-" + ApiRequest.NUMBER + "?wait=" + WAIT.toSeconds() + "s&index=" + NEVER);
            long before = LiveHeap.bytes(agent.pid());
            try (ExecutorService asking = Executors.newSingleThreadExecutor()) {
                Future<Answered> answered = asking.submit(
                        () -> load.run(socket, WAITING, Duration.ofMillis(1), news, Numbers.below(volumes)));
                // All have asked by then, and none has its answer.
                Thread.sleep(WAIT.dividedBy(2));
                double each = (double) (LiveHeap.bytes(agent.pid()) - before) / WAITING;
                long answers = answered.get().answers();
                return BenchRow.of("heap of a query that waits", each, Unit.BYTES)
                        .detail(answers + " at once");
            }
        }

        BenchRow memory(String what) throws IOException {
            return BenchRow.of(what, new Pids(List.of(agent.pid())).memory(), Unit.BYTES);
        }

        /**
         * In turns, once both are as fast as they will be: a request of the agent, and of the handler that has the
         * bytes of its answer.
         *
         * @param path of one such answer
         */
        private BenchRow beside(String what, int clients, ApiRequest request, String name, String path)
                throws IOException, InterruptedException {
            ApiRequest ready = bare.answering(name, agent.get(path));
            Asking asking = () -> ask(clients, request, Numbers.below(volumes));
            Asking askingBare = () -> load.run(bare.endpoint(), clients, SPAN, ready, Numbers.from(0));
            Answered first = settle(asking);
            settle(askingBare);
            List<Served> own = new ArrayList<>();
            List<Served> limit = new ArrayList<>();
            for (int i = 0; i < TURNS; i++) {
                own.add(served(agent.pid(), asking));
                limit.add(served(bare.pid(), askingBare));
            }
            return BenchRow.of(what, median(own, Served::perSecond), Unit.PER_SECOND)
                    .limit(LIMIT, median(limit, Served::perSecond))
                    .detail(own.getLast().answered().words()
                            + "; processor for each "
                            + Unit.SECONDS.text(median(own, Served::each))
                            + ", of the handler "
                            + Unit.SECONDS.text(median(limit, Served::each))
                            + "; in the first 3 s "
                            + Unit.PER_SECOND.text(first.perSecond()));
        }

        private static double median(List<Served> turns, ToDoubleFunction<Served> of) {
            return turns.stream().mapToDouble(of).sorted().toArray()[turns.size() / 2];
        }

        private static BenchRow budget(BenchRow row, double part) {
            Double ratio = row.ratio();
            return row.budget(part + " of it", ratio != null && ratio >= part);
        }

        private static String clients(int count) {
            return count == 1 ? "1 client" : count + " clients";
        }
    }
}
