package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.NamespaceRow;
import io.cleat.state.Namespaces;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Situation -> answer. */
final class NamespacesTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void storage() {
        cluster.level = Change.NAMESPACES_LEVEL;
        cluster.register(cluster.facts("n1", "boot-1", cluster.plugin("n1")));
    }

    private static RegisterNamespace made(String name) {
        return new RegisterNamespace(NamespaceRow.plain(name));
    }

    private static NamespaceRow letting(List<String> enabled, List<String> disabled) {
        return new NamespaceRow("team", "", Map.of(), enabled, disabled, 0, 0);
    }

    private static JobSpec job(String id) {
        return Cluster.in("team", Cluster.job(id, JobType.SERVICE, 1));
    }

    private static VolumeSpec volume(String id) {
        return new VolumeSpec(
                new VolumeId("team", id),
                id,
                "ext-" + id,
                Cluster.PLUGIN,
                List.of(Cluster.WRITER),
                MountOptions.NONE,
                0,
                0,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "");
    }

    private RegisterJob register(JobSpec job) {
        return new RegisterJob(job, null, null, 0, cluster.id());
    }

    private String refusedRemoval() {
        return cluster.refuse(new DeregisterNamespace("team"));
    }

    /** It was taken, and made real storage. */
    @Test
    void aJobOrVolumeInANamespaceThatIsNotThere_isRefused_andSaysHowToMakeIt() {
        String job = cluster.refuse(register(job("web")));
        assertTrue(job.contains("nonexistent namespace \"team\""), job);
        assertTrue(job.contains("cleat namespace apply team"), job);
        for (Command<?> command : List.of(
                new CreateVolume(volume("v"), Encrypted.NONE, cluster.id()),
                new RegisterVolume(volume("v"), Encrypted.NONE, cluster.id()))) {
            String volume = cluster.refuse(command);
            assertTrue(volume.startsWith("volume \"v\" is in nonexistent namespace"), volume);
        }
        assertEquals(0, cluster.state().operations().all().size());
    }

    @Test
    void onceItIsMade_theyAreTaken() {
        cluster.accept(made("team"));
        cluster.accept(register(job("web")));
        cluster.accept(new RegisterVolume(volume("v"), Encrypted.NONE, cluster.id()));
        assertTrue(cluster.state().job(new JobId("team", "web")).isPresent());
    }

    @Test
    void someMemberIsOlder_whateverIsNamedIsThere() {
        cluster.level = Change.NAMESPACES_LEVEL - 1;
        cluster.accept(register(job("web")));
    }

    /** Of a cluster that is older than namespaces are: what is there goes on. */
    @Test
    void oneThatIsOnlyUsed_isThereForAsLongAsItIsUsed() {
        cluster.level = Change.NAMESPACES_LEVEL - 1;
        cluster.accept(register(job("web")));
        cluster.level = Change.NAMESPACES_LEVEL;
        cluster.accept(register(job("other")));
        assertTrue(Namespaces.exists(cluster.state(), "team"));
        assertFalse(Namespaces.exists(cluster.state(), "tea"));
    }

    @Test
    void theSameAgain_changesNothing() {
        cluster.accept(made("team"));
        long version = cluster.state().version();
        cluster.accept(made("team"));
        assertEquals(version, cluster.state().version());
    }

    @Test
    void aTaskDriverThatItDoesNotLetIn_isRefusedByName() {
        cluster.accept(new RegisterNamespace(letting(List.of("exec"), List.of())));
        String refused = cluster.refuse(register(job("web")));
        assertEquals("used task driver \"raw_exec\" is not allowed in namespace \"team\"", refused);
        cluster.accept(new RegisterNamespace(letting(List.of(), List.of("raw_exec"))));
        assertEquals(refused, cluster.refuse(register(job("web"))));
        cluster.accept(new RegisterNamespace(letting(List.of("raw_exec"), List.of("exec"))));
        cluster.accept(register(job("web")));
    }

    @Test
    void whatIsInIt_keepsItThere() {
        cluster.accept(made("team"));
        cluster.accept(register(job("web")));
        String live = refusedRemoval();
        assertTrue(live.contains("jobs (\"web\"): stop them"), live);
        cluster.accept(new DeregisterJob(new JobId("team", "web"), false, false, false, 0, cluster.id()));
        cluster.schedule();
        cluster.accept(new RegisterVolume(volume("v"), Encrypted.NONE, cluster.id()));
        assertTrue(refusedRemoval().contains("volumes (\"v\")"), refusedRemoval());
        cluster.accept(new DeregisterVolume(new VolumeId("team", "v"), false));
        assertTrue(refusedRemoval().contains("cleat system gc"), refusedRemoval());
        cluster.accept(CollectGarbage.NOW);
        cluster.accept(new DeregisterNamespace("team"));
        assertFalse(Namespaces.exists(cluster.state(), "team"));
    }

    @Test
    void manyInTheWay_areNamedInPart() {
        cluster.accept(made("team"));
        for (int i = 0; i < 9; i++) {
            cluster.accept(register(job("j" + i)));
        }
        assertTrue(refusedRemoval().contains("\"j4\", ...)"), refusedRemoval());
    }

    @Test
    void theDefaultOne_canBeDescribedAndNotRemoved() {
        cluster.accept(
                new RegisterNamespace(new NamespaceRow("default", "ours", Map.of(), List.of(), List.of(), 0, 0)));
        assertEquals("ours", cluster.state().namespace("default").orElseThrow().description());
        assertEquals("default namespace can not be deleted", cluster.refuse(new DeregisterNamespace("default")));
    }

    @Test
    void oneThatIsNotThere_cannotBeRemoved() {
        assertEquals("namespace not found: \"team\"", refusedRemoval());
    }
}
