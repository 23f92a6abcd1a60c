package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.JobType;
import io.cleat.model.VolumeModes;
import io.cleat.state.AttachmentRow;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a claim attaches its volume read-only: mode x read-only x what the plugin can. */
final class ReadOnlyAttachTest {
    private final Cluster cluster = new Cluster();

    @ParameterizedTest
    @CsvSource({
        "SINGLE_NODE_READER_ONLY,  true,  true,  true",
        "SINGLE_NODE_READER_ONLY,  true,  false, false",
        "SINGLE_NODE_WRITER,       true,  true,  false",
        "SINGLE_NODE_WRITER,       false, true,  false",
        "MULTI_NODE_READER_ONLY,   true,  true,  true",
        "MULTI_NODE_READER_ONLY,   true,  false, false",
        "MULTI_NODE_SINGLE_WRITER, true,  true,  true",
        "MULTI_NODE_SINGLE_WRITER, false, true,  false",
        "MULTI_NODE_MULTI_WRITER,  true,  true,  false",
        "MULTI_NODE_MULTI_WRITER,  false, true,  false",
    })
    void claimAndPluginToAttachment(AccessMode access, boolean reads, boolean pluginCan, boolean attachedReadOnly) {
        VolumeModes modes = new VolumeModes(access, AttachmentMode.FILE_SYSTEM);
        List<ControllerCapability> capabilities = new ArrayList<>();
        capabilities.add(ControllerCapability.PUBLISH_UNPUBLISH_VOLUME);
        if (pluginCan) {
            capabilities.add(ControllerCapability.PUBLISH_READONLY);
        }
        cluster.register(
                cluster.facts("n1", "boot-1", cluster.plugin("n1", capabilities.toArray(ControllerCapability[]::new))));
        String register = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("v", "e", modes), Encrypted.NONE, register));
        OperationRow validation = cluster.state().operations().get(register).orElseThrow();
        cluster.accept(new SendOperation(register, 1, validation.nodeId(), validation.allocId()));
        cluster.accept(new EndOperation(register, validation.nodeId(), new OperationOutcome.Confirmed(), cluster.id()));
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, Cluster.request("v", modes, reads)));
        String id = cluster.id();
        cluster.accept(new Attach(cluster.claim("v", "a").id(), id));
        AttachmentRow row = cluster.state().attachments().all().iterator().next();
        assertEquals(attachedReadOnly, row.readOnly());
        OperationCall.Publish call = (OperationCall.Publish)
                cluster.state().operations().get(id).orElseThrow().call();
        assertEquals(attachedReadOnly, call.readOnly());
        assertEquals(reads, cluster.claim("v", "a").readOnly(), "the claim is as it was");
    }
}
