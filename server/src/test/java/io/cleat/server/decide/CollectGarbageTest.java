package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobType;
import io.cleat.state.AllocationRow;
import io.cleat.state.JobRow;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is over is kept by age and by count, whichever is less. */
class CollectGarbageTest {
    private static final int KEPT = 5;
    private static final CollectGarbage FEW = new CollectGarbage(
            CollectGarbage.REGULARLY.evaluations(),
            CollectGarbage.REGULARLY.jobs(),
            CollectGarbage.REGULARLY.nodes(),
            CollectGarbage.REGULARLY.requests(),
            KEPT);

    private final Cluster cluster = new Cluster();

    private void comesAndGoes(String job) {
        cluster.run(Cluster.job(job, JobType.SERVICE, 1));
        cluster.runs(job);
        cluster.stop(job);
        for (AllocationRow row : cluster.state().allocationsOfJob(Cluster.jobId(job))) {
            cluster.ends(row, ClientStatus.COMPLETE);
        }
        cluster.pass(Duration.ofSeconds(1));
    }

    /** Twice a second a job that is made and stopped filled half of the heap within an hour. */
    @Test
    void theNewestStay_andNoMore_howeverYoungTheOthersAre() {
        cluster.node("n1");
        cluster.run(Cluster.job("stays", JobType.SERVICE, 1));
        cluster.runs("stays");
        for (int i = 0; i < 4 * KEPT; i++) {
            comesAndGoes("j" + i);
        }
        while (cluster.accept(FEW).more()) {
            cluster.pass(Duration.ofSeconds(1));
        }
        List<String> jobs = cluster.state().jobs().stream()
                .map(JobRow::id)
                .map(id -> id.id())
                .sorted()
                .toList();
        assertEquals(List.of("j15", "j16", "j17", "j18", "j19", "stays"), jobs);
        assertEquals(KEPT + 1, cluster.state().count(TableName.ALLOCATIONS));
        assertTrue(
                cluster.state().count(TableName.EVALUATIONS) <= 3 * KEPT + 2,
                () -> cluster.state().count(TableName.EVALUATIONS) + " evaluations");
        assertEquals(Cluster.jobId("stays"), cluster.allocation("stays").job());
    }

    private List<String> jobsOnceCollected() {
        while (cluster.accept(FEW).more()) {
            cluster.pass(Duration.ofSeconds(1));
        }
        return cluster.state().jobs().stream()
                .map(job -> job.id().id())
                .sorted()
                .toList();
    }

    /** They were counted only if somebody had stopped them, and stayed for four hours. */
    @Test
    void batchJobsThatEndByThemselves_countToo() {
        cluster.node("n1");
        for (int i = 10; i < 10 + 4 * KEPT; i++) {
            String job = "j" + i;
            cluster.run(Cluster.job(job, JobType.BATCH, 1));
            cluster.runs(job);
            cluster.ends(cluster.allocation(job), ClientStatus.COMPLETE);
            cluster.pass(Duration.ofSeconds(1));
        }
        assertEquals(List.of("j25", "j26", "j27", "j28", "j29"), jobsOnceCollected());
        assertEquals(KEPT, cluster.state().count(TableName.ALLOCATIONS));
    }

    /** The oldest went that was registered first, though it was stopped last. */
    @Test
    void aJobThatRanForLong_isNewOnceItIsStopped() {
        cluster.node("n1");
        cluster.run(Cluster.job("long", JobType.SERVICE, 1));
        cluster.runs("long");
        cluster.pass(Duration.ofDays(90));
        for (int i = 10; i < 10 + 2 * KEPT; i++) {
            comesAndGoes("j" + i);
        }
        cluster.stop("long");
        cluster.ends(cluster.allocation("long"), ClientStatus.COMPLETE);
        assertEquals(List.of("j16", "j17", "j18", "j19", "long"), jobsOnceCollected());
    }

    /** It was gone at the next round, since it had been registered long before. */
    @Test
    void aJobThatWaitedForLong_isStillThereOnceItIsStopped() {
        cluster.run(Cluster.job("waits", JobType.SERVICE, 1));
        cluster.pass(Duration.ofDays(90));
        cluster.accept(CollectGarbage.REGULARLY);
        cluster.stop("waits");
        cluster.accept(CollectGarbage.REGULARLY);
        assertTrue(cluster.state().job(Cluster.jobId("waits")).isPresent());
        cluster.pass(Duration.ofDays(1));
        cluster.accept(CollectGarbage.REGULARLY);
        assertTrue(cluster.state().job(Cluster.jobId("waits")).isEmpty());
    }

    @Test
    void whatIsNotOver_isNeverTooMuch() {
        cluster.node("n1");
        for (int i = 0; i < 2 * KEPT; i++) {
            cluster.run(Cluster.job("j" + i, JobType.SERVICE, 1));
        }
        cluster.accept(FEW);
        assertEquals(2 * KEPT, cluster.state().count(TableName.JOBS));
        assertEquals(2 * KEPT, cluster.state().count(TableName.ALLOCATIONS));
    }
}
