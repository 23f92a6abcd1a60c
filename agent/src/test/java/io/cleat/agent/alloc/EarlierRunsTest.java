package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.driver.ExitResult;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ToServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No task ever runs twice, and none that nobody knows, whatever an agent lost or could not see. */
class EarlierRunsTest extends AgentFixture {
    private void run(int attempts) throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(attempts))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
    }

    @Test
    void aKillBetweenAStartAndItsWord_leavesATaskThatIsSaidToRun() throws Exception {
        driver.hangStarts(true);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        String run = driver.awaitStart(1).id();
        driver.hangStarts(false);
        restart();
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(List.of("Received", "Task Setup", "Started"), events(report, "t"));
        assertTrue(state(report, "t").startedAt() != null);
        assertEquals(1, driver.starts());
        driver.end(run, new ExitResult(1, 0, false));
        awaitReport(r -> r.status() == ClientStatus.FAILED);
    }

    @Test
    void aLostAllocationFile_makesNoSecondWriter() throws Exception {
        run(0);
        loseFile();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        driver.awaitStart(2);
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(1, driver.mostAtOnce());
        assertEquals(1, driver.running().size());
        assertEquals(List.of("t  PT5S"), driver.stops().subList(0, 1));
    }

    @Test
    void aLostFileOfAnAllocationThatIsToStop_leavesNothingRunning() throws Exception {
        run(0);
        loseFile();
        allocations.assign(1, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(List.of(), driver.running());
        assertEquals(1, driver.starts());
        assertEquals(Set.of(), volumes.publishedNow());
    }

    @Test
    void aLostFileOfAnAllocationThatNobodyWants_leavesNothingRunning() throws Exception {
        run(0);
        loseFile();
        allocations.assign(1, List.of());
        while (!driver.running().isEmpty()) {
            Thread.onSpinWait();
        }
        assertEquals(List.of(), allocations.strays());
        Eventually.holds(() -> volumes.publishedNow().isEmpty(), "nothing of it is mounted");
    }

    /** The server has freed what it was told was gone with the machine: the journal kept it. */
    @Test
    void aLostFileOfAnAllocationWithoutClaims_leavesNothingMounted() throws Exception {
        run(0);
        loseFile();
        allocations.assign(
                1,
                List.of(assignment(DesiredStatus.STOP, Map.of(), TestTasks.job(JobType.SERVICE, Map.of(), task(0)))));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        Eventually.holds(() -> volumes.publishedNow().isEmpty(), "nothing of it is mounted");
    }

    @Test
    void aDriverThatCannotTell_isAskedUntilItCan() throws Exception {
        run(0);
        driver.refuseAnswers(2);
        restart();
        ToServer.AllocReport report = awaitReport(r -> events(r, "t").contains("Driver Failure"));
        assertEquals(ClientStatus.RUNNING, report.status());
        driver.end(driver.awaitStart(1).id(), new ExitResult(7, 0, false));
        awaitReport(r -> events(r, "t").contains("Terminated"));
        assertEquals(1, driver.starts());
    }

    /** Found by the simulation: its volumes waited, and nobody said for what. */
    @Test
    void whileADriverCannotTell_theVolumesSayWhatTheyWaitFor() throws Exception {
        driver.refuseAnswers(Integer.MAX_VALUE);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.volumes().values().stream()
                .map(ToServer.VolumeReport::waitingFor)
                .anyMatch(waits -> waits != null && waits.holder().contains("what runs of this")));
        driver.refuseAnswers(0);
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.RUNNING);
        report.volumes().values().forEach(volume -> assertNull(volume.waitingFor()));
    }

    @Test
    void aDriverThatCannotTellWhetherItHasStarted_isAskedUntilItCan() throws Exception {
        driver.hangStarts(true);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        driver.awaitStart(1);
        driver.hangStarts(false);
        driver.refuseAnswers(2);
        restart();
        awaitReport(r -> events(r, "t").contains("Driver Failure"));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(1, driver.starts());
    }

    @Test
    void anOlderFileUnderANewerRun_endsThatBeforeTheNext() throws Exception {
        run(1);
        byte[] older = Files.readAllBytes(file());
        driver.end(driver.awaitStart(1).id(), new ExitResult(1, 0, false));
        driver.awaitStart(2);
        awaitReport(r -> state(r, "t").restarts() == 1 && r.status() == ClientStatus.RUNNING);
        die();
        Files.write(file(), older);
        restart();
        driver.awaitStart(3);
        awaitReport(r -> state(r, "t").restarts() == 1 && r.status() == ClientStatus.RUNNING);
        assertEquals(1, driver.mostAtOnce());
    }

    private Path file() {
        return dir.resolve("state/" + ID + ".allocation");
    }

    @Test
    void aTaskThatEndedWithTheMachine_startsAtOnceAndCountsNoAttempt() throws Exception {
        run(0);
        boot();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> events(r, "t").contains("Restarting"));
        driver.awaitStart(2);
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertTrue(
                state(report, "t").events().stream()
                        .anyMatch(event -> event.message().equals("the machine was restarted - Task restarting in 0s")),
                report.toString());
    }
}
