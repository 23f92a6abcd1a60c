package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.TaskEvent;
import io.cleat.processtests.AttackJobs.Place;
import io.cleat.processtests.AttackRows.Verdict;
import io.cleat.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Attempts against the walls, by a task as the usual user, a task as root of its container, and users of the machine,
 * beside a job that is to notice nothing (docs/isolation.md, "The battery"). {@code -Dcleat.attack.full=true} tries
 * all; {@code -Dcleat.attack=NAME,NAME} those with such a text in their names; {@code -Dcleat.attack.all=true} prints
 * those that held too. Its floods would disturb what runs beside it: it runs alone.
 */
@Tag("alone")
@Timeout(1800)
class AttackBatteryTest {
    private static final boolean FULL = Boolean.getBoolean("cleat.attack.full");
    private static final List<String> ONLY = Arrays.stream(
                    System.getProperty("cleat.attack", "").split(",", -1))
            .filter(name -> !name.isEmpty())
            .toList();

    /** So many attempts are made and held; what was not run or is known to be open does not count. */
    private static final int LEAST = 300;

    /** By party. Each task of each of these jobs fetches what it plants with, in a process of its own. */
    private static final Map<String, String> FEW = Map.of("nobody", "link_to_directory", "root", "fifo");

    private static final List<String> ALL = List.of(
            "link_to_file",
            "link_to_directory",
            "link_up_to_file",
            "link_up_to_directory",
            "link_through_first",
            "link_through_own",
            "link_through_handle",
            "link_to_nothing",
            "link_to_itself",
            "fifo",
            "socket",
            "device",
            "file",
            "locked_file",
            "setuid_file",
            "sparse_file",
            "locked_directory",
            "deep_directory",
            "hard_link",
            "nothing");

    /** Longer than two starts of each of a job's tasks take on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(FULL ? 20 : 8);

    private final AttackRows rows = new AttackRows();

    @Test
    void noPartyBreaksAWall_andTheAgentAndTheNeighbourNoticeNothing() throws Exception {
        try (AttackGround ground = AttackGround.prepared();
                AttackProgram program =
                        AttackProgram.served(AttackProgram.built(ground.agent().root()), ground.settings(ONLY))) {
            ground.agent().create(Words.directory("swapped"));
            Map<String, String> parties = Map.of("nobody", "", "root", "root");
            for (String mode : List.of("inside", "floods")) {
                for (String party : parties.keySet()) {
                    ground.agent()
                            .register(AttackJobs.party(
                                    mode + "-" + party, requireNonNull(parties.get(party)), program.url(), mode));
                }
                for (String party : parties.keySet()) {
                    rows.addPrinted(party, ended(ground, mode + "-" + party));
                }
                if (mode.equals("inside")) {
                    for (int user : FULL ? new int[] {54321, 65534} : new int[] {65534}) {
                        rows.addPrinted("user-" + user, asUser(program, user));
                    }
                }
            }
            swaps(ground, program, parties);
            ground.judge(rows);
            ground.judgeEnd(rows);
        } finally {
            rows.report("battery");
        }
        assertEquals(List.of(), rows.of(Verdict.BROKEN));
        int held = rows.of(Verdict.HELD).size();
        assertTrue(!ONLY.isEmpty() || held >= LEAST, "only " + held + " attempts held");
    }

    /** What the only task of a job has printed when it has ended. */
    private static String ended(AttackGround ground, String job) throws Exception {
        AllocationStub alloc = ground.allocation(job);
        Eventually.holds(
                Duration.ofMinutes(3),
                () -> List.of("complete", "failed").contains(ground.status(job)),
                job + " has ended");
        return ground.api().printed(alloc.ID(), "t");
    }

    /** What the attacker says as a user of this machine. */
    private static String asUser(AttackProgram program, int user) throws Exception {
        Path said = program.path().resolveSibling("said-" + user);
        Process party = new ProcessBuilder(
                        program.path().toString(),
                        "user",
                        String.valueOf(user),
                        program.settings().toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertTrue(party.waitFor(5, TimeUnit.MINUTES), "the user's attempts do not end");
        return Files.readString(said, StandardCharsets.ISO_8859_1);
    }

    /** Each kind of thing, in each place at once, by each party; or one by each. */
    private void swaps(AttackGround ground, AttackProgram program, Map<String, String> parties) throws Exception {
        if (!ONLY.isEmpty() && ONLY.stream().noneMatch("swaps"::contains)) {
            return;
        }
        for (String kind : FULL ? ALL : FEW.values()) {
            List<String> jobs = new ArrayList<>();
            for (String party : parties.keySet()) {
                if (!FULL && !kind.equals(FEW.get(party))) {
                    continue;
                }
                String job = "swap-" + kind.replace('_', '-') + "-" + party;
                ground.agent().register(AttackJobs.swaps(job, requireNonNull(parties.get(party)), program.url(), kind));
                jobs.add(job);
            }
            long end = System.nanoTime() + PATIENCE.toNanos();
            for (String job : jobs) {
                String party = job.substring(job.lastIndexOf('-') + 1);
                for (Place place : AttackJobs.places()) {
                    add(ground, party, kind, job, place, end);
                }
                ground.agent().stop(job);
            }
        }
    }

    private void add(AttackGround ground, String party, String kind, String job, Place place, long end)
            throws Exception {
        String name = "swaps/" + kind + ":" + place.task();
        while (true) {
            String[] last = lastLine(ground, job, place.task());
            if (last.length == 2 && !last[0].equals("planted")) {
                rows.add(party, name, AttackRows.verdict(last[0]), last[1]);
                return;
            }
            if (System.nanoTime() > end) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        // Not to be started at all is a way to hold: with the reason, and for its own task alone.
        String why = lastEvent(ground, job, place.task());
        boolean isSaid = !why.isEmpty() && !why.contains("Exception");
        rows.add(party, name, isSaid ? Verdict.HELD : Verdict.BROKEN, "not started again: " + why);
    }

    private static String[] lastLine(AttackGround ground, String job, String task) {
        try {
            String text =
                    ground.api().printed(ground.allocation(job).ID(), task).strip();
            return text.substring(text.lastIndexOf('\n') + 1).split("\t", -1);
        } catch (Exception notYet) {
            return new String[0];
        }
    }

    private static String lastEvent(AttackGround ground, String job, String task) throws Exception {
        return ground.api().events(ground.allocation(job).ID(), task).stream()
                .map(TaskEvent::DisplayMessage)
                .filter(message -> !message.startsWith("Task restarting"))
                .reduce("", (first, second) -> second);
    }
}
