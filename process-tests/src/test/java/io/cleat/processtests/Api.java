package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.Evaluation;
import io.cleat.api.ExternalVolume;
import io.cleat.api.Job;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.LogFrame;
import io.cleat.api.LogStream;
import io.cleat.api.NodeDriver;
import io.cleat.api.NodeStub;
import io.cleat.api.Params;
import io.cleat.api.TaskEvent;
import io.cleat.api.TaskState;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Secrets;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VolumeFile;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import io.cleat.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** What a user asks of an agent, and what is waited for. */
record Api(CleatClient client) {
    /** Longer than what a node may be silent, on a machine that has much else to do. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Waits until a fact holds; fails when it takes too long. */
    static void await(Eventually.Fact fact, String what) throws Exception {
        Eventually.holds(PATIENCE, fact, what);
    }

    void run(String jobFile) throws Exception {
        run(jobFile, Variables.none());
    }

    void run(String jobFile, Variables variables) throws Exception {
        Job job = good(JobFile.parse(Source.of("test", jobFile), variables, RuntimeValues.real()));
        client.jobs()
                .register(
                        new JobRegisterRequest(false, 0, job, 0, "default", false, false, false, "", null),
                        Params.none());
    }

    void stop(String job) throws Exception {
        client.jobs().deregister(job, true, false, Params.none());
        await(
                () -> client.jobs().allocations(job, true, Params.none()).body().stream()
                        .noneMatch(one -> one.ClientStatus().equals("running")),
                "job " + job + " has ended");
    }

    void create(String volumeFile) throws Exception {
        CsiVolume volume =
                good(VolumeFile.parse(Source.of("test", volumeFile), Variables.none(), RuntimeValues.real()));
        client.volumes().create(new CsiVolumeRequest("default", false, "", List.of(volume)), Params.none());
    }

    /** Deletes it once nobody claims it any more, and it is attached nowhere. */
    void delete(String volume) throws Exception {
        await(
                () -> status(() -> client.volumes().delete(volume, Secrets.none(), Params.none())) == 200,
                "volume " + volume + " is free and deleted");
    }

    private static <T> T good(Parsed<T> parsed) {
        return switch (parsed) {
            case Parsed.Good<T>(T value) -> value;
            case Parsed.Bad<T> bad ->
                throw new IllegalArgumentException(bad.lines().toString());
        };
    }

    NodeStub node(String name) throws Exception {
        return client.nodes().list(Params.none()).body().stream()
                .filter(node -> node.Name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no node " + name));
    }

    void awaitNode(String name, String status) throws Exception {
        await(
                () -> client.nodes().list(Params.none()).body().stream()
                        .anyMatch(node ->
                                node.Name().equals(name) && node.Status().equals(status)),
                "node " + name + " is " + status);
    }

    /** Skips the test, with the node's reason, where the only node's driver cannot run tasks. */
    static void requireDriver(CleatClient client, String name) throws Exception {
        NodeDriver driver = driver(client, name);
        Assumptions.assumeTrue(
                driver != null && driver.Healthy(),
                () -> "reason: the driver " + name + " is not healthy here: " + driver);
    }

    /** As the only node says it; null when it has none of that name. */
    static @Nullable NodeDriver driver(CleatClient client, String name) throws Exception {
        return client.nodes().list(Params.none()).body().getFirst().Drivers().get(name);
    }

    /** Waits until so many instances of each kind are healthy. */
    void awaitPlugin(String id, int controllers, int nodes) throws Exception {
        await(
                () -> client.plugins().list(Params.none()).body().stream()
                        .anyMatch(plugin -> plugin.ID().equals(id)
                                && plugin.ControllersHealthy() == controllers
                                && plugin.NodesHealthy() == nodes),
                "plugin " + id + " has " + controllers + " controllers, " + nodes + " nodes");
    }

    CsiVolume volume(String id) throws Exception {
        return client.volumes().get(id, Params.none()).body();
    }

    CsiPlugin plugin(String id) throws Exception {
        return client.plugins().get(id, Params.none()).body();
    }

    /** The nodes, by the provider's ids, to which the plugin says that a volume is attached. */
    Set<String> attachedTo(String pluginId, String volume) throws Exception {
        String id = volume(volume).ExternalID();
        List<ExternalVolume> all =
                client.volumes().external(pluginId, Params.none()).body().Volumes();
        return requireNonNull(all).stream()
                .filter(one -> one.ExternalID().equals(id))
                .map(one -> requireNonNull(one.PublishedExternalNodeIDs()))
                .flatMap(List::stream)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** All that {@code volume why} says. */
    String why(String volume) throws Exception {
        return client.volumes().why(volume, Params.none()).body().toString();
    }

    /** What the last evaluations of a job say of why it is not placed. */
    String notPlaced(String job) throws Exception {
        return client.jobs().evaluations(job, Params.none()).body().stream()
                .map(Evaluation::FailedTGAllocs)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .collect(Collectors.joining("\n"));
    }

    /** The job's running allocation on a node, waited for. */
    AllocationStub awaitRunning(String job, String nodeName) throws Exception {
        try {
            await(() -> running(job, nodeName).isPresent(), job + " runs on " + nodeName);
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + "\n" + story(job), late);
        }
        return running(job, nodeName).orElseThrow();
    }

    /** What is known of a job that is not as it should be: its allocations, and all volumes. */
    private String story(String job) throws Exception {
        StringBuilder story = new StringBuilder(notPlaced(job));
        for (AllocationStub one :
                client.jobs().allocations(job, true, Params.none()).body()) {
            story.append('\n').append(one);
        }
        for (CsiVolumeStub volume : client.volumes().list(Params.none()).body()) {
            story.append('\n').append(why(volume.ID()));
        }
        return story.toString();
    }

    private Optional<AllocationStub> running(String job, String nodeName) throws Exception {
        List<AllocationStub> running = client.jobs().allocations(job, true, Params.none()).body().stream()
                .filter(one -> one.ClientStatus().equals("running"))
                .filter(one -> one.NodeName().equals(nodeName))
                .toList();
        assertEquals(Math.min(1, running.size()), running.size(), running::toString);
        return running.stream().findFirst();
    }

    /** What is known of a task; empty before its node has said anything. */
    Optional<TaskState> task(String allocId, String task) throws Exception {
        return Optional.ofNullable(
                        client.allocations().get(allocId, Params.none()).body().TaskStates())
                .map(states -> states.get(task));
    }

    /** What has happened to a task, the oldest first. */
    List<TaskEvent> events(String allocId, String task) throws Exception {
        return task(allocId, task).map(TaskState::Events).orElse(List.of());
    }

    /** All that a task has printed. */
    String printed(String allocId, String task) throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (LogStream log = client.allocations().logs(allocId, task, "stdout", false, 0, "start")) {
            for (Optional<LogFrame> frame = log.next(); frame.isPresent(); frame = log.next()) {
                text.writeBytes(frame.get().bytes());
            }
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    /** All that a task has printed, once those words are in it; it may not have begun yet. */
    String awaitPrinted(String allocId, String task, String words) throws Exception {
        await(() -> printedSoFar(allocId, task).contains(words), task + " prints " + words);
        return printed(allocId, task);
    }

    private String printedSoFar(String allocId, String task) throws Exception {
        try {
            return printed(allocId, task);
        } catch (UnexpectedAnswer notStarted) {
            return "";
        }
    }

    /** What is answered at an address and its port. */
    static String heard(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    10_000);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The status of an answer that is an error. */
    static int status(Ask ask) throws Exception {
        try {
            ask.ask();
            return 200;
        } catch (UnexpectedAnswer answer) {
            return answer.status();
        }
    }

    /** One request. */
    @FunctionalInterface
    interface Ask {
        void ask() throws Exception;
    }
}
