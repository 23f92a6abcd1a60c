package io.cleat.demo;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.Job;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.LogFrame;
import io.cleat.api.LogStream;
import io.cleat.api.Node;
import io.cleat.api.NodeDriver;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What the agent answers over its HTTP interface. */
final class Cluster {
    private static final String NAMESPACE = "default";

    private final CleatClient client;

    Cluster(CleatClient client) {
        this.client = client;
    }

    /** One request. */
    @FunctionalInterface
    interface Ask<T> {
        T ask(CleatClient client) throws UnexpectedAnswer, LinkTrouble;
    }

    String address() {
        return client.address().text();
    }

    /**
     * The answer to one request.
     *
     * @param what names the request, for when it fails
     */
    <T> T ask(String what, Ask<T> ask) throws CheckFailed {
        try {
            return ask.ask(client);
        } catch (UnexpectedAnswer refused) {
            throw new CheckFailed(
                    what,
                    "an answer",
                    "status " + refused.status() + ": " + refused.body().strip());
        } catch (LinkTrouble trouble) {
            throw CheckFailed.unseen(what, trouble);
        }
    }

    void register(Job job) throws CheckFailed {
        JobRegisterRequest request = new JobRegisterRequest(false, 0, job, 0, NAMESPACE, false, false, false, "", null);
        ask("submitting job " + job.ID(), c -> c.jobs().register(request, Params.none()));
    }

    void stop(String jobId, boolean purge) throws CheckFailed {
        ask("stopping job " + jobId, c -> c.jobs().deregister(jobId, purge, false, Params.none()));
    }

    void create(CsiVolume volume) throws CheckFailed {
        CsiVolumeRequest request = new CsiVolumeRequest(NAMESPACE, false, "", List.of(volume));
        ask("creating volume " + volume.ID(), c -> c.volumes().create(request, Params.none()));
    }

    CsiVolume volume(String id) throws CheckFailed {
        return ask("volume " + id, c -> c.volumes().get(id, Params.none()).body());
    }

    List<AllocationStub> allocations(String jobId) throws CheckFailed {
        return ask(
                "allocations of job " + jobId,
                c -> c.jobs().allocations(jobId, true, Params.none()).body());
    }

    /** A driver of a node, healthy or not. */
    NodeDriver driver(String nodeId, String name) throws CheckFailed {
        Node node = ask("the node", c -> c.nodes().get(nodeId, Params.none()).body());
        NodeDriver driver = node.Drivers() == null ? null : node.Drivers().get(name);
        if (driver == null) {
            throw new CheckFailed("the node's drivers", name + ", healthy or not", "none");
        }
        return driver;
    }

    /** A driver of a node, which must be healthy. */
    NodeDriver healthyDriver(String nodeId, String name) throws CheckFailed {
        NodeDriver driver = driver(nodeId, name);
        CheckFailed.unless(driver.Healthy(), "the driver " + name, "healthy", driver.HealthDescription());
        return driver;
    }

    /** The running allocations of a job, of which there must be so many. */
    List<AllocationStub> running(String jobId, int count) throws CheckFailed {
        List<AllocationStub> all = allocations(jobId);
        List<AllocationStub> running = all.stream()
                .filter(a -> a.ClientStatus().equals("running"))
                .filter(a -> a.DesiredStatus().equals("run"))
                .toList();
        CheckFailed.unless(
                running.size() == count,
                "allocations of job " + jobId,
                count + " running",
                all.isEmpty() ? "none yet" : states(all));
        return running;
    }

    /** Fails until an allocation has ended as it was told to. */
    void ended(String allocId) throws CheckFailed {
        String status = ask(
                "allocation " + brief(allocId),
                c -> c.allocations().get(allocId, Params.none()).body().ClientStatus());
        CheckFailed.unless(status.equals("complete"), "allocation " + brief(allocId), "complete", status);
    }

    /** All that a task has printed so far. */
    String printed(String allocId, String task) throws CheckFailed {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ask("the log of allocation " + brief(allocId), c -> {
            try (LogStream log = c.allocations().logs(allocId, task, "stdout", false, 0, "start")) {
                Optional<LogFrame> frame = log.next();
                while (frame.isPresent()) {
                    text.writeBytes(frame.get().bytes());
                    frame = log.next();
                }
                return text;
            }
        });
        return text.toString(StandardCharsets.UTF_8);
    }

    private static String states(List<AllocationStub> allocations) {
        StringBuilder text = new StringBuilder();
        for (AllocationStub one : allocations) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(brief(one.ID()))
                    .append(' ')
                    .append(one.ClientStatus())
                    .append(one.ClientDescription().isEmpty() ? "" : ": ")
                    .append(one.ClientDescription());
        }
        return text.toString();
    }

    /** An id as people see it. */
    static String brief(String id) {
        return id.length() <= 8 ? id : id.substring(0, 8);
    }
}
