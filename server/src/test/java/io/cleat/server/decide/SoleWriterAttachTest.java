package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.VolumeModes;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Readers and the one writer of a volume, where the claims leave room and the plugin's attachments may not: a node is
 * attached read-only or for writing, as long as it is attached.
 */
final class SoleWriterAttachTest {
    private static final VolumeModes ONE_WRITER =
            new VolumeModes(AccessMode.MULTI_NODE_SINGLE_WRITER, AttachmentMode.FILE_SYSTEM);
    private static final VolumeModes READERS =
            new VolumeModes(AccessMode.MULTI_NODE_READER_ONLY, AttachmentMode.FILE_SYSTEM);

    private final Cluster cluster = new Cluster();

    /** Nodes with a plugin, and a volume of it. */
    private void start(boolean attachesReadOnly, String... nodes) {
        for (String node : nodes) {
            node(node, attachesReadOnly);
        }
        String register = cluster.id();
        cluster.accept(new RegisterVolume(
                Cluster.volume("v", "e", ONE_WRITER, READERS, Cluster.SHARED), Encrypted.NONE, register));
        settle(register, new OperationOutcome.Confirmed());
    }

    private void node(String node, boolean attachesReadOnly) {
        List<ControllerCapability> capabilities = new ArrayList<>();
        capabilities.add(ControllerCapability.PUBLISH_UNPUBLISH_VOLUME);
        if (attachesReadOnly) {
            capabilities.add(ControllerCapability.PUBLISH_READONLY);
        }
        cluster.register(
                cluster.facts(node, "boot-1", cluster.plugin(node, capabilities.toArray(ControllerCapability[]::new))));
    }

    private static JobSpec job(String name, VolumeModes modes, boolean reads, String command) {
        return Cluster.job(name, JobType.SERVICE, 1, null, command, Cluster.request("v", modes, reads));
    }

    private void reader(String name) {
        cluster.run(job(name, ONE_WRITER, true, "/bin/true"));
    }

    private void writer(String name) {
        cluster.run(job(name, ONE_WRITER, false, "/bin/true"));
    }

    private void settle(String id, OperationOutcome outcome) {
        OperationRow row = cluster.state().operations().get(id).orElseThrow();
        cluster.accept(new SendOperation(id, 1, row.nodeId(), row.allocId()));
        cluster.accept(new EndOperation(id, row.nodeId(), outcome, cluster.id()));
    }

    private AttachmentRow attach(String job) {
        ClaimRow claim = cluster.claim("v", job);
        String id = cluster.id();
        assertEquals(new Attach.Reply.Started(id), cluster.accept(new Attach(claim.id(), id)));
        settle(id, new OperationOutcome.Published(Encrypted.NONE));
        cluster.runs(job);
        return attachment(claim.nodeId());
    }

    private AttachmentRow attachment(String node) {
        return cluster.state().attachments().onNode(node).getFirst();
    }

    private void detach(String node) {
        String id = cluster.id();
        assertEquals(
                new Detach.Reply(id), cluster.accept(new Detach(attachment(node).id(), id)));
        settle(id, new OperationOutcome.Unpublished());
    }

    private BlockedBy waits(String job) {
        ClaimRow claim = cluster.claim("v", job);
        assertEquals(ClaimState.GRANTED, claim.state());
        Attach.Reply reply = cluster.accept(new Attach(claim.id(), cluster.id()));
        assertTrue(reply instanceof Attach.Reply.Waits, reply::toString);
        return Objects.requireNonNull(cluster.claim("v", job).blockedBy());
    }

    @Test
    void aWriter_joinsNoReadersThatAreAttachedReadOnly() {
        start(true, "n1");
        reader("r");
        assertTrue(attach("r").readOnly());
        writer("w");
        assertEquals(List.of(), cluster.state().allocationsOfJob(Cluster.jobId("w")));
        BlockedBy why = Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy());
        assertTrue(why.holder().contains(cluster.allocation("r").id()), why.holder());
        assertTrue(
                cluster.onlyBlocked()
                        .outcome()
                        .failedGroups()
                        .toString()
                        .contains("CSI volume v has exhausted its available writer claims: its readers here are "
                                + "attached read-only"),
                cluster.onlyBlocked()::toString);

        cluster.stop("r");
        cluster.ends(cluster.allocation("r"), ClientStatus.COMPLETE);
        assertEquals("n1", cluster.allocation("w").nodeId(), "placed by itself");
        assertEquals("it is attached once it is detached there", waits("w").hint());
        detach("n1");
        assertFalse(attach("w").readOnly());
    }

    @Test
    void aWriter_goesToAnotherNodeThanReadersThatAreAttachedReadOnly() {
        start(true, "n1");
        reader("r");
        attach("r");
        node("n2", true);
        writer("w");
        assertEquals("n2", cluster.allocation("w").nodeId());
        assertFalse(attach("w").readOnly());
    }

    @Test
    void aReader_sharesTheAttachmentOfTheWriterOnItsNode() {
        start(true, "n1");
        writer("w");
        attach("w");
        reader("r");
        Attach.Reply reply = cluster.accept(new Attach(cluster.claim("v", "r").id(), cluster.id()));
        assertTrue(reply instanceof Attach.Reply.There, reply::toString);
        assertNull(cluster.claim("v", "r").blockedBy());
    }

    @Test
    void readersThatAreLeftOfAWriter_keepTheNextWriterOnTheirNode() {
        start(true, "n1");
        writer("w");
        attach("w");
        reader("r");
        cluster.runs("r");
        cluster.stop("w");
        cluster.ends(cluster.allocation("w"), ClientStatus.COMPLETE);
        node("n2", true);
        cluster.accept(new SetEligibility("n1", false, cluster.id()));
        writer("next");
        assertTrue(
                cluster.onlyBlocked()
                        .outcome()
                        .failedGroups()
                        .toString()
                        .contains("its readers on client n1 are attached for writing"),
                cluster.onlyBlocked()::toString);
        cluster.accept(new SetEligibility("n1", true, cluster.id()));
        cluster.schedule();
        assertEquals("n1", cluster.allocation("next").nodeId());
    }

    /** Such a plugin decides by itself: each of its attachments is one for writing. */
    @Test
    void aPluginThatAttachesNothingReadOnly_isAskedForWritersAnywhere() {
        start(false, "n1");
        reader("r");
        assertFalse(attach("r").readOnly());
        node("n2", false);
        cluster.accept(new SetEligibility("n1", false, cluster.id()));
        writer("w");
        assertEquals("n2", cluster.allocation("w").nodeId());
        attach("w");
    }

    @Test
    void aReaderThatBecomesAWriter_isAttachedAnewOnceItsOldAllocationHasEnded() {
        start(true, "n1");
        cluster.run(job("j", ONE_WRITER, true, "/bin/true"));
        AllocationRow old = cluster.allocation("j");
        attach("j");
        cluster.run(job("j", ONE_WRITER, false, "/bin/false"));
        assertNotEquals(old.id(), cluster.allocation("j").id());
        BlockedBy wait = waits("j");
        assertTrue(wait.holder().startsWith("the volume's read-only attachment to node name-n1"), wait.holder());
        assertTrue(wait.hint().contains("have ended"), wait.hint());
        String words = cluster.refuse(new Detach(attachment("n1").id(), cluster.id()));
        assertTrue(words.contains(old.id()), words);

        cluster.ends(cluster.state().allocation(old.id()).orElseThrow(), ClientStatus.COMPLETE);
        detach("n1");
        assertFalse(attach("j").readOnly());
    }

    /** Else it was given the context of a reader, and mounted read-only. */
    @Test
    void anAttachmentThatIsLeftOfAnotherMode_isNotUsed() {
        start(true, "n1");
        cluster.run(job("r", READERS, true, "/bin/true"));
        attach("r");
        cluster.stop("r");
        cluster.ends(cluster.allocation("r"), ClientStatus.COMPLETE);
        cluster.run(job("w", Cluster.SHARED, false, "/bin/true"));
        assertEquals("it is attached once it is detached there", waits("w").hint());
        detach("n1");
        AttachmentRow attached = attach("w");
        assertFalse(attached.readOnly());
        assertEquals(Cluster.SHARED, attached.modes());
    }
}
