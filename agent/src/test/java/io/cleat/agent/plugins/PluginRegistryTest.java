package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.PluginChannel;
import io.cleat.model.PluginInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginRegistryTest {
    @TempDir
    Path dir;

    private final Threads threads = Threads.virtual((where, fault) -> {
        throw new AssertionError(where, fault);
    });
    private PluginRegistry registry;

    @BeforeEach
    void open() throws DiskTrouble {
        registry = reopened();
    }

    private PluginRegistry reopened() throws DiskTrouble {
        return new PluginRegistry(dir.resolve("registry"), new Feed(threads));
    }

    private static Registration instance(String allocId, String version) {
        return new Registration(
                PluginKind.NODE,
                "p",
                allocId,
                "/s/" + allocId,
                "/v",
                "/v",
                new PluginInstance(
                        "p", allocId, true, "healthy", "vendor", version, false, false, Instant.EPOCH, null, null),
                null);
    }

    private static List<RegistryEvent> all(Feed.Subscription subscription) {
        List<RegistryEvent> events = new ArrayList<>();
        for (Optional<RegistryEvent> e = subscription.poll(); e.isPresent(); e = subscription.poll()) {
            events.add(e.get());
        }
        return events;
    }

    /** Unmounting asks which plugin is there, and waited for the disk of an update. */
    @Test
    void whileTheDiskStalls_whoLooksUpIsAnsweredWithWhatIsDurable() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch disk = new CountDownLatch(1);
        PluginRegistry stalling = new PluginRegistry(dir.resolve("stalling"), new Feed(threads), bytes -> {
            writing.countDown();
            try {
                disk.await();
            } catch (InterruptedException end) {
                throw new AssertionError(end);
            }
        });
        Thread registering = threads.vitalWork("test/register", () -> register(stalling, instance("a", "1")));
        writing.await();
        AtomicReference<Optional<Registration>> seen = new AtomicReference<>();
        Thread looking = threads.vitalWork("test/look", () -> seen.set(stalling.current(PluginKind.NODE, "p")));
        boolean answered = looking.join(Duration.ofSeconds(10));
        disk.countDown();
        registering.join();
        looking.join();
        assertTrue(answered, "the lookup waited for the disk");
        assertEquals(Optional.empty(), seen.get());
        assertEquals("a", stalling.current(PluginKind.NODE, "p").orElseThrow().allocId());
    }

    private static void register(PluginRegistry registry, Registration registration) {
        try {
            registry.register(registration);
        } catch (DiskTrouble trouble) {
            throw new AssertionError(trouble);
        }
    }

    /** Plugins that run are registered again once they answer: no reason not to start. */
    @Test
    void whatCannotBeReadIsBegunAnew() throws Exception {
        registry.register(instance("a", "1"));
        registry.close();
        byte[] whole = Files.readAllBytes(dir.resolve("registry"));
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            // A changed version is that of a newer program, whose file is not written over.
            boolean isCut = at % 2 == 1 || at == 4;
            Files.write(dir.resolve("registry"), isCut ? Arrays.copyOf(whole, at) : damaged);
            try (PluginRegistry opened = reopened()) {
                assertEquals(List.of(), opened.all(), "byte " + at);
                opened.register(instance("b", "1"));
            }
            try (PluginRegistry again = reopened()) {
                assertEquals("b", again.all().getFirst().allocId());
            }
        }
    }

    /** Who waits for a plugin is told whether it runs, and what it says of itself. */
    @Test
    void whyThereIsNoPluginIsSaid() throws Exception {
        LivePlugins plugins = new LivePlugins(registry, new SystemTime(), bound -> 0);
        CurrentNodePlugins current = new CurrentNodePlugins(plugins, threads, new SystemTime());
        assertEquals("of which no task that has answered runs on this node", current.absence("p"));
        Registration well = instance("a", "1");
        registry.register(new Registration(
                well.kind(),
                well.plugin(),
                well.allocId(),
                well.socket(),
                well.hostRoot(),
                well.pluginRoot(),
                PluginReading.unhealthy(well.facts(), "Probe: DEADLINE_EXCEEDED", new SystemTime()),
                null));
        assertEquals(Optional.empty(), current.current("p"));
        assertEquals(
                "which is not healthy on this node, as allocation a: it has not answered since this agent started",
                current.absence("p"));
        plugins.register(registry.all().getFirst());
        assertEquals(Optional.empty(), current.current("p"));
        assertEquals(
                "which is not healthy on this node, as allocation a: Probe: DEADLINE_EXCEEDED", current.absence("p"));
        registry.close();
    }

    /** Each update of a plugin, two a minute, left an entry with a channel for ever. */
    @Test
    void ofAnInstanceThatSaysOtherThings_oneEntryIsKept() throws Exception {
        LivePlugins plugins = new LivePlugins(registry, new SystemTime(), bound -> 0);
        CurrentNodePlugins current = new CurrentNodePlugins(plugins, threads, new SystemTime());
        for (int version = 1; version <= 20; version++) {
            plugins.register(instance("a", String.valueOf(version)));
            assertTrue(current.current("p").isPresent());
        }
        assertEquals(1, current.kept());
        assertEquals(current.current("p"), current.current("p"));
        registry.deregister(PluginKind.NODE, "p", "a");
        while (current.kept() > 0) {
            Thread.onSpinWait();
        }
        registry.close();
    }

    /** It was taken for usable until this agent had asked it, by what an earlier one had stored. */
    @Test
    void anInstanceOfAnEarlierAgent_isUsedOnceThisOneHasAskedIt() throws Exception {
        registry.register(instance("a", "1"));
        LivePlugins plugins = new LivePlugins(registry, new SystemTime(), bound -> 0);
        CurrentNodePlugins current = new CurrentNodePlugins(plugins, threads, new SystemTime());
        assertEquals(Optional.empty(), current.current("p"));
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch isTold = new CountDownLatch(1);
        threads.contained(
                "waits",
                () -> {
                    current.awaitChange(
                            "p",
                            Optional.empty(),
                            () -> {
                                waits.countDown();
                                return false;
                            },
                            Deadline.in(new SystemTime(), Duration.ofDays(1)));
                    isTold.countDown();
                },
                fault -> {});
        waits.await();
        // It says what it has said before, of which the registry tells nobody.
        plugins.register(instance("a", "1"));
        assertTrue(isTold.await(20, TimeUnit.SECONDS));
        assertTrue(current.current("p").isPresent());
        registry.close();
    }

    /** It was kept until the next snapshot, with a channel. */
    @Test
    void anInstanceThatGoesWhileItIsLookedUp_isNotKept() throws Exception {
        Feed feed = new Feed(threads);
        PluginRegistry leaving = new PluginRegistry(dir.resolve("leaving"), feed);
        AtomicReference<CurrentNodePlugins> looks = new AtomicReference<>();
        LivePlugins plugins = new LivePlugins(leaving, new SystemTime(), (plugin, socket, ends) -> {
            goes(leaving, looks.get());
            return PluginChannel.open(
                    plugin,
                    socket,
                    () -> {
                        throw new IOException("nobody calls it");
                    },
                    CallPolicy.standard(),
                    new SystemTime(),
                    bound -> 0,
                    CallObserver.NONE,
                    ends);
        });
        CurrentNodePlugins current = new CurrentNodePlugins(plugins, threads, new SystemTime());
        looks.set(current);
        awaitChanges(current, 1); // the snapshot
        plugins.register(instance("a", "1"));
        awaitChanges(current, 3); // that it is registered, and asked
        assertTrue(current.current("p").isPresent());
        assertEquals(0, current.kept());
        leaving.close();
    }

    /** Deregisters the instance, and has who keeps instances hear of it. */
    private static void goes(PluginRegistry registry, CurrentNodePlugins current) {
        long before = current.changesNow();
        try {
            registry.deregister(PluginKind.NODE, "p", "a");
        } catch (DiskTrouble trouble) {
            throw new AssertionError(trouble);
        }
        awaitChanges(current, before + 1);
    }

    private static void awaitChanges(CurrentNodePlugins current, long changes) {
        while (current.changesNow() < changes) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theNewestIsInUseAndTheOneBeforeItFollows() throws DiskTrouble {
        registry.register(instance("a", "1"));
        registry.register(instance("b", "2"));
        assertEquals("b", registry.current(PluginKind.NODE, "p").orElseThrow().allocId());
        assertEquals(
                "a",
                registry.forAllocation(PluginKind.NODE, "p", "a").orElseThrow().allocId());
        assertEquals(1, registry.list(PluginKind.NODE).size());
        registry.deregister(PluginKind.NODE, "p", "b");
        assertEquals("a", registry.current(PluginKind.NODE, "p").orElseThrow().allocId());
    }

    @Test
    void whatWasRegisteredIsThereAfterARestart() throws DiskTrouble {
        registry.register(instance("a", "1"));
        registry.register(instance("b", "2"));
        assertEquals(registry.all(), reopened().all());
    }

    @Test
    void aSubscriberSeesASnapshotAndThenEachEventInOrder() throws DiskTrouble {
        registry.register(instance("a", "1"));
        Feed.Subscription subscription = registry.subscribe();
        assertEquals(Optional.of(new RegistryEvent.Snapshot(List.of(instance("a", "1")))), subscription.poll());
        registry.register(instance("b", "1"));
        registry.register(instance("b", "1"));
        registry.register(instance("b", "2"));
        registry.deregister(PluginKind.NODE, "p", "nobody");
        registry.deregister(PluginKind.NODE, "p", "a");
        assertEquals(
                List.of(
                        new RegistryEvent.Registered(instance("b", "1")),
                        new RegistryEvent.Updated(instance("b", "2")),
                        new RegistryEvent.Deregistered(instance("a", "1"))),
                all(subscription));
    }

    @Test
    void aSubscriberThatNeverReadsDelaysNobodyAndIsGivenASnapshot() throws DiskTrouble {
        Feed feed = new Feed(threads);
        feed.begin(List.of());
        Feed.Subscription slow = feed.subscribe();
        slow.poll();
        List<Registration> current = List.of(instance("z", "9"));
        for (int i = 0; i <= Feed.BOUND; i++) {
            feed.publish(new RegistryEvent.Updated(instance("a", "" + i)), current);
        }
        assertEquals(List.of(new RegistryEvent.Snapshot(current)), all(slow));
        feed.publish(new RegistryEvent.Updated(instance("a", "x")), current);
        assertEquals(List.of(new RegistryEvent.Updated(instance("a", "x"))), all(slow));
        feed.close();
    }

    @Test
    void whatCannotBeWrittenDownIsNotRegisteredAndToldNobody() throws Exception {
        Feed.Subscription subscription = registry.subscribe();
        subscription.poll();
        // A directory with something in it where the temporary file goes: no write can succeed.
        Files.createDirectories(dir.resolve("registry.tmp").resolve("in-the-way"));
        assertThrows(DiskTrouble.class, () -> registry.register(instance("a", "1")));
        assertEquals(List.of(), registry.all());
        assertEquals(List.of(), all(subscription));
        remove(dir.resolve("registry.tmp"));
        registry.register(instance("a", "1"));
        assertEquals(1, all(subscription).size());
    }

    private static void remove(Path directory) throws IOException {
        Files.delete(directory.resolve("in-the-way"));
        Files.delete(directory);
    }

    @Test
    void closingLetsReadersGo() throws Exception {
        Feed.Subscription subscription = registry.subscribe();
        subscription.next();
        Thread closer = Thread.ofVirtual().start(registry::close);
        assertEquals(Optional.empty(), subscription.next());
        closer.join();
        registry.close();
        assertTrue(subscription.poll().isEmpty());
    }

    @Test
    void anInstanceWithoutANameIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> registry.deregister(PluginKind.NODE, "p", ""));
    }
}
