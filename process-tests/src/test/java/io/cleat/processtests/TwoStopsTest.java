package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiVolume;
import io.cleat.api.Params;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several people stop the same thing at the same moment. */
@Timeout(240)
class TwoStopsTest {
    @Test
    void bothAreAnsweredAndItIsStoppedOnce() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            CsiVolume volume = agent.create(Words.directory("shared"));
            agent.register(Words.stubborn("job", "shared"));
            AllocationStub alloc = agent.running("job");

            atOnce(
                    () -> agent.client().jobs().deregister("job", false, false, Params.none()),
                    () -> agent.client().jobs().deregister("job", false, false, Params.none()),
                    () -> agent.client().allocations().stop(alloc.ID(), false, Params.none()));
            agent.awaits(() -> isComplete(agent, alloc), "it has ended");
            agent.awaits(() -> ends(agent, volume) == 2, "it is unmounted");
            assertEquals(1, killings(agent, alloc), agent::printed);

            agent.stop("job");
            agent.delete("shared");
            assertEquals(
                    List.of(
                            "CreateVolume",
                            "ControllerPublishVolume",
                            "NodeStageVolume",
                            "NodePublishVolume",
                            "NodeUnpublishVolume",
                            "NodeUnstageVolume",
                            "ControllerUnpublishVolume",
                            "DeleteVolume"),
                    agent.calls(volume.ExternalID()));
        }
    }

    /** All at the same moment, and all must be answered well. */
    private static void atOnce(Callable<?>... deeds) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(deeds.length);
        try (ExecutorService people = Executors.newFixedThreadPool(deeds.length)) {
            List<Future<?>> done = new ArrayList<>();
            for (Callable<?> deed : deeds) {
                done.add(people.submit(() -> {
                    barrier.await(10, TimeUnit.SECONDS);
                    return deed.call();
                }));
            }
            for (Future<?> one : done) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static boolean isComplete(AgentRun agent, AllocationStub alloc) throws Exception {
        return agent.client()
                .allocations()
                .get(alloc.ID(), Params.none())
                .body()
                .ClientStatus()
                .equals("complete");
    }

    private static long ends(AgentRun agent, CsiVolume volume) throws Exception {
        return agent.calls(volume.ExternalID()).stream()
                .filter(call -> call.startsWith("NodeUn"))
                .count();
    }

    private static long killings(AgentRun agent, AllocationStub alloc) throws Exception {
        return agent.api().events(alloc.ID(), "t").stream()
                .filter(event -> event.Type().equals("Killing"))
                .count();
    }
}
