package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.plugins.PluginPaths;
import io.cleat.api.AllocationStub;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.processtests.AttackRows.Verdict;
import io.cleat.processtests.HostileEffects.Kind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The part of the battery that a storage plugin plays, as root: what it puts in the place of its socket, of stagings
 * and of targets, and what it mounts in excess, beside a job that is to notice nothing.
 * {@code -Dcleat.attack.full=true} tries each under both drivers. What hangs is in {@link HungVolumesTest}.
 */
@Timeout(900)
class PluginAttacksTest {
    private static final boolean FULL = Boolean.getBoolean("cleat.attack.full");
    private static final String PARTY = "plugin";
    private static final String CANARY = "canary-of-the-victims";
    private static final int MOST_MOUNTS = 2;

    /** After the plugin was asked: what was believed of it would be used by then. */
    private static final Duration GRACE = Duration.ofSeconds(FULL ? 6 : 3);

    /** What each hostile plugin does to its control directory $D and its socket $S. */
    private static final Map<String, String> CONTROL = new LinkedHashMap<>();

    static {
        CONTROL.put("socket_link_to_agent", "ln -s $AGENT $S");
        CONTROL.put("socket_link_to_victim", "ln -s $VICTIM/socket $S");
        CONTROL.put("socket_link_up", "ln -s ../../../../../../../..$VICTIM/socket $S");
        CONTROL.put("socket_link_to_plugin", "ln -s $PLUGIN $S");
        CONTROL.put("socket_link_to_itself", "ln -s $S $S");
        // The control directories are on a mount of their own, beyond which nothing has a name.
        CONTROL.put("socket_hard_link", "LC_ALL=C ln $VICTIM/socket $S 2>&1 | grep -qi cross-device");
        CONTROL.put("socket_fifo", "mkfifo $S");
        CONTROL.put("socket_file", "echo x >$S");
        CONTROL.put("socket_directory", "mkdir -p $S/in/it");
        CONTROL.put("socket_device", "mknod $S b 7 0");
        CONTROL.put("socket_bound", ": >$S; mount --bind $VICTIM/socket $S");
        CONTROL.put("control_link", "mv $D $D.aside; ln -s $VICTIM $D");
        CONTROL.put("control_mounted", "mount -t tmpfs none $D");
        CONTROL.put("control_bound", "mount --bind $VICTIM $D");
        CONTROL.put("control_full", "for i in $(seq 300); do mkdir -p $D/a$i/b/c; done");
        CONTROL.put("control_closed", "chmod 0 $D");
    }

    private final AttackRows rows = new AttackRows();

    /**
     * One volume, of which the plugin makes something else.
     *
     * @param id tells the plugin what
     * @param driver whose task it is for
     */
    private record Attack(String id, Kind kind, String driver, String call) {
        /** A staging is the plugin's own, and may be no mount; but it is nobody else's. */
        private static final Set<Kind> OF_STAGINGS =
                Set.of(Kind.NOTHING, Kind.FILE, Kind.FIFO, Kind.SOCKET, Kind.DEVICE);

        /** What lies beside a volume's own paths is taken away, and need not be this call's. */
        private static final Set<Kind> ELSEWHERE = Set.of(Kind.BESIDE, Kind.OVER_PARENT);

        boolean isToBeRefused() {
            return kind != Kind.LINK_AFTERWARDS
                    && !ELSEWHERE.contains(kind)
                    && !(call.equals("stage") && OF_STAGINGS.contains(kind));
        }

        String name() {
            return "volumes/%s_%s:%s".formatted(call, kind.word(), driver);
        }
    }

    private static List<Attack> attacks() {
        List<Attack> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (String call : List.of("stage", "publish")) {
                for (String driver : List.of("raw", "exec")) {
                    boolean isChosen = driver.equals(call.equals("stage") ? "raw" : "exec");
                    if (FULL || isChosen) {
                        String id = call + "-" + kind.word() + "-" + driver;
                        all.add(new Attack(id, kind, driver, call));
                    }
                }
            }
        }
        return all;
    }

    @Test
    void noPluginLeadsTheAgentOrATaskElsewhere_andTheNeighbourNoticesNothing() throws Exception {
        try (AttackGround ground = AttackGround.prepared()) {
            AgentRun agent = ground.agent();
            Path victims = Files.createDirectory(agent.root().resolve("attacked"));
            Path pool = Files.createDirectory(agent.root().resolve("hostile"));
            List<Attack> attacks = attacks();
            attackThroughVolumes(agent, pool, victims, attacks);
            attackThroughControl(agent, victims);
            endVolumes(agent, pool, attacks);
            ground.judge(rows);
            // What is not released is still there when all is to be deleted: its own row says why.
            assertEquals(List.of(), rows.of(Verdict.BROKEN));
            ground.judgeEnd(rows);
        } finally {
            rows.report("plugin");
        }
        assertEquals(List.of(), rows.of(Verdict.BROKEN));
        Set<String> notHeld = expected();
        rows.of(Verdict.HELD).forEach(row -> notHeld.remove(row.name()));
        assertEquals(Set.of(), notHeld, "each attempt was made, and held");
    }

    /** The names of all that is tried here. */
    private static Set<String> expected() {
        Set<String> names = new TreeSet<>();
        for (Attack attack : attacks()) {
            names.add(attack.name());
            names.add(attack.name() + "_ends");
        }
        for (String name : CONTROL.keySet()) {
            names.add("control/" + name);
            names.add("control/" + name + "_ends");
        }
        return names;
    }

    private static Verdict of(boolean held) {
        return held ? Verdict.HELD : Verdict.BROKEN;
    }

    private void attackThroughVolumes(AgentRun agent, Path pool, Path victims, List<Attack> attacks) throws Exception {
        Path ids = agent.root().resolve("ids");
        Files.write(ids, attacks.stream().map(Attack::id).toList());
        Map<Attack, MachineFingerprint> before = new LinkedHashMap<>();
        for (Attack attack : attacks) {
            Path victim = Files.createDirectory(victims.resolve(attack.id()));
            Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rwxrwxrwx"));
            Files.writeString(victim.resolve("secret"), CANARY);
            before.put(attack, MachineFingerprint.ofOnly(victim));
        }
        agent.register(plugin(
                "hostile",
                TestJvm.plugin(List.of(
                        "-Xmx64m",
                        "io.cleat.processtests.HostilePlugin",
                        pool.toString(),
                        victims.toString(),
                        ids.toString()))));
        agent.awaits(() -> healthy(agent, "hostile"), "the hostile plugin is believed to be well");
        for (Attack attack : attacks) {
            agent.registerVolume(Words.ofFuse(attack.id()).replace("\"fuse\"", "\"hostile\""));
            agent.register(consumer(attack));
        }
        for (Attack attack : attacks) {
            Path asked = pool.resolve("asked-" + attack.id());
            agent.awaits(() -> Files.exists(asked), attack.id() + " is asked of the plugin");
        }
        // What is not to happen has no moment of its own.
        TimeUnit.NANOSECONDS.sleep(GRACE.toNanos());
        for (Attack attack : attacks) {
            judge(agent, attack, requireNonNull(before.get(attack)), victims.resolve(attack.id()));
        }
    }

    private void judge(AgentRun agent, Attack attack, MachineFingerprint before, Path victim) throws Exception {
        String said = said(agent, attack.id());
        List<String> changes = before.changes(MachineFingerprint.ofOnly(victim));
        long mounts = mountsOnceUndone(agent, attack);
        String why =
                agent.client().volumes().why(attack.id(), Params.none()).body().toString();
        if (said.contains(CANARY) || !changes.isEmpty()) {
            rows.add(PARTY, attack.name(), Verdict.BROKEN, said + changes);
        } else if (mounts > MOST_MOUNTS) {
            rows.add(PARTY, attack.name(), Verdict.BROKEN, mounts + " mounts are left: " + why);
        } else if (said.contains("used") && attack.isToBeRefused()) {
            rows.add(PARTY, attack.name(), Verdict.BROKEN, "a task was shown it");
        } else {
            rows.add(PARTY, attack.name(), Verdict.HELD, why);
        }
    }

    /** What is too much goes; when, is the agent's to say. */
    private static long mountsOnceUndone(AgentRun agent, Attack attack) throws Exception {
        try {
            agent.awaits(() -> mounts(agent, attack) <= MOST_MOUNTS, "surplus mounts go");
        } catch (AssertionError late) {
            // Their number says it.
        }
        return mounts(agent, attack);
    }

    private static long mounts(AgentRun agent, Attack attack) throws Exception {
        return MountTable.readTwice().atOrBelow(agent.data()).stream()
                .filter(mount -> mount.target().contains("/" + attack.id()))
                .count();
    }

    private static String said(AgentRun agent, String job) throws Exception {
        StringBuilder text = new StringBuilder();
        for (AllocationStub alloc :
                agent.client().jobs().allocations(job, true, Params.none()).body()) {
            try {
                text.append(agent.api().printed(alloc.ID(), "t"));
            } catch (UnexpectedAnswer notStarted) {
                // Then it has printed nothing.
            }
        }
        return text.toString();
    }

    private static boolean healthy(AgentRun agent, String plugin) throws Exception {
        for (CsiPluginStub one : agent.client().plugins().list(Params.none()).body()) {
            if (one.ID().equals(plugin) && one.NodesHealthy() > 0) {
                return true;
            }
        }
        return false;
    }

    private void attackThroughControl(AgentRun agent, Path victims) throws Exception {
        Path victim = Files.createDirectory(victims.resolve("control"));
        Files.writeString(victim.resolve("secret"), CANARY);
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(victim.resolve("socket")));
            listener.configureBlocking(false);
            MachineFingerprint before = MachineFingerprint.ofOnly(victim);
            Path other = new PluginPaths(agent.data().resolve("client/csi"))
                    .control(agent.running("hostile").ID(), "plugin")
                    .resolve("csi.sock");
            for (Map.Entry<String, String> one : CONTROL.entrySet()) {
                String script = "S=${CSI_ENDPOINT#unix://}; D=${S%/*}; AGENT="
                        + agent.data().resolve("http.sock")
                        + "; VICTIM="
                        + victim
                        + "; PLUGIN="
                        + other
                        + "; { "
                        + one.getValue()
                        + "; } && : >"
                        + done(agent, one.getKey())
                        + "; exec sleep 600";
                Path file = agent.root().resolve(one.getKey());
                Files.writeString(file, script);
                agent.register(plugin(id(one.getKey()), List.of("/bin/sh", file.toString())));
            }
            for (String name : CONTROL.keySet()) {
                agent.running(id(name));
                awaitDone(agent, name);
            }
            TimeUnit.NANOSECONDS.sleep(GRACE.toNanos());
            for (String name : CONTROL.keySet()) {
                boolean isBelieved = healthy(agent, id(name));
                boolean isDone = Files.exists(done(agent, name));
                rows.add(
                        PARTY,
                        "control/" + name,
                        isBelieved || isDone ? of(!isBelieved) : Verdict.NOT_RUN,
                        isDone ? "is believed: " + isBelieved : "its commands have failed");
            }
            boolean isSpokenTo = listener.accept() != null;
            rows.add(PARTY, "control/victim_socket", of(!isSpokenTo), "spoken to: " + isSpokenTo);
            ends(agent);
            List<String> changes = before.changes(MachineFingerprint.ofOnly(victim));
            // A second name that a plugin gave it is the plugin's own doing.
            changes.removeIf(change -> change.contains("/socket was "));
            rows.add(PARTY, "control/victims", of(changes.isEmpty()), changes.toString());
        }
    }

    /** A file that is there once that plugin has done what it does. */
    private static Path done(AgentRun agent, String name) {
        return agent.root().resolve(name + ".done");
    }

    private static void awaitDone(AgentRun agent, String name) throws Exception {
        try {
            agent.awaits(() -> Files.exists(done(agent, name)), name + " is done");
        } catch (AssertionError never) {
            // That it was not says its row.
        }
    }

    private static String id(String name) {
        return name.replace('_', '-');
    }

    /** Each of them ends, whatever it has made of its directory. */
    private void ends(AgentRun agent) throws Exception {
        for (String name : CONTROL.keySet()) {
            agent.stop(id(name));
        }
        for (String name : CONTROL.keySet()) {
            try {
                agent.awaits(() -> hasEnded(agent, id(name)), name + " has ended");
                rows.add(PARTY, "control/" + name + "_ends", Verdict.HELD, "");
            } catch (AssertionError late) {
                rows.add(PARTY, "control/" + name + "_ends", Verdict.BROKEN, "it runs after 30 s");
            }
        }
    }

    /** Their consumers end; each volume is released, and then its plugin ends, too. */
    private void endVolumes(AgentRun agent, Path pool, List<Attack> attacks) throws Exception {
        for (Attack attack : attacks) {
            agent.stop(attack.id());
        }
        for (Attack attack : attacks) {
            String name = attack.name() + "_ends";
            try {
                agent.awaits(() -> isReleased(agent, attack), attack.id() + " is released");
                rows.add(PARTY, name, Verdict.HELD, "");
            } catch (AssertionError late) {
                String why = agent.client()
                        .volumes()
                        .why(attack.id(), Params.none())
                        .body()
                        .toString();
                rows.add(PARTY, name, Verdict.BROKEN, mounts(agent, attack) + " are left: " + why);
            }
        }
        agent.stop("hostile");
        agent.awaits(() -> hasEnded(agent, "hostile"), "the hostile plugin has ended");
        // In a directory of its own it may leave what it likes.
        for (Mount own : MountTable.readTwice().atOrBelow(pool).reversed()) {
            Mounts.linux().detach(Path.of(own.target()));
        }
    }

    private static boolean isReleased(AgentRun agent, Attack attack) throws Exception {
        Path own = agent.data().resolve("client/csi/hostile");
        removeByHand(own.resolve("staging"), 2);
        removeByHand(own.resolve("per-alloc"), 3);
        return mounts(agent, attack) == 0 && isDeregistered(agent, attack.id());
    }

    /** What is no directory in the place of one the agent does not touch, and asks people to. */
    private static void removeByHand(Path directory, int deep) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (deep > 1) {
                    removeByHand(entry, deep - 1);
                } else if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(entry);
                }
            }
        } catch (DirectoryIteratorException | NoSuchFileException gone) {
            // The agent has removed it meanwhile.
        }
    }

    private static boolean isDeregistered(AgentRun agent, String volume) throws Exception {
        try {
            agent.client().volumes().deregister(volume, false, Params.none());
            return true;
        } catch (UnexpectedAnswer inUse) {
            return false;
        }
    }

    private static boolean hasEnded(AgentRun agent, String job) throws Exception {
        return agent.client().jobs().allocations(job, true, Params.none()).body().stream()
                .noneMatch(one -> List.of("running", "pending").contains(one.ClientStatus()));
    }

    private static String plugin(String id, List<String> command) {
        return Words.fusePlugin("alert", command)
                .replace("job \"fuse\"", "job \"" + id + "\"")
                .replace("\"fuse\"", "\"" + id + "\"");
    }

    private static String consumer(Attack attack) {
        return """
                job "%1$s" {
                  group "g" {
                    volume "data" {
                      type            = "csi"
                      source          = "%1$s"
                      access_mode     = "multi-node-multi-writer"
                      attachment_mode = "file-system"
                    }
                    restart {
                      attempts = 0
                    }
                    reschedule {
                      attempts = 0
                    }
                    task "t" {
                      driver = "%2$s"
                      user   = "root"
                      config {
                        command = "/bin/sh"
                        args    = ["-c", "cat $CLEAT_VOLUME_data/* $CLEAT_VOLUME_data/*/*; echo x >$CLEAT_VOLUME_data/taken; echo used; exec sleep 600"]
                      }
                      volume_mount {
                        volume      = "data"
                        destination = "%3$s"
                      }
                      kill_timeout = "1s"
                      resources {
                        cpu    = 100
                        memory = 16
                      }
                    }
                  }
                }
                """.formatted(
                        attack.id(),
                        attack.driver().equals("raw") ? "raw_exec" : "exec",
                        attack.driver().equals("raw") ? "data" : "/data");
    }
}
