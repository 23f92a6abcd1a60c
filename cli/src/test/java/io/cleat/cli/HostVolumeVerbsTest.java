package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Host volumes on the command line. */
class HostVolumeVerbsTest {
    private static final String ID = "6b6b8a4e-1111-2222-3333-444455556666";
    private static final String FIELDS = "\"CapacityBytes\":1048576,\"CreateIndex\":7,\"CreateTime\":0,\"ID\":\""
            + ID
            + "\",\"ModifyIndex\":7,\"ModifyTime\":0,\"Name\":\"disk\","
            + "\"Namespace\":\"default\",\"NodeID\":\"c4c061ed-039e-d829-5462-6ef84844221c\","
            + "\"NodePool\":\"default\",\"PluginID\":\"mkdir\",\"State\":\"ready\"";
    private static final String STUB = "[{" + FIELDS + "}]";
    private static final String WHOLE = "{\"HostPath\":\"/data/disk\",\"RequestedCapabilities\":[{\"AccessMode\":"
            + "\"single-node-writer\",\"AttachmentMode\":\"file-system\"}],"
            + "\"RequestedCapacityMaxBytes\":0,\"RequestedCapacityMinBytes\":0,"
            + FIELDS
            + "}";

    @TempDir
    Path directory = Path.of("");

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = new FakeAgent();
        session = new Session();
        session.directory = directory;
        session.variables.put("NOMAD_ADDR", agent.address());
    }

    @AfterEach
    void close() {
        agent.close();
    }

    @Test
    void aFileOfTypeHost_hasANodeMakeAVolume() throws IOException {
        Files.writeString(session.directory.resolve("disk.hcl"), """
                name = "disk"
                type = "host"
                plugin_id = "mkdir"
                capacity_min = "1MiB"
                capability { access_mode = "single-node-single-writer" }
                constraint {
                  attribute = "${meta.disk}"
                  value     = "fast"
                }
                parameters { mode = "0750" }
                """);
        agent.answers("PUT /v1/volume/host/create", "{\"Index\":7,\"Volume\":" + WHOLE + ",\"Warnings\":\"\"}");
        assertEquals(0, session.run("volume create disk.hcl"), () -> session.err);
        assertEquals("==> Created host volume disk with ID " + ID + "\n", session.out);
        String body = agent.bodyOf("PUT /v1/volume/host/create");
        for (String part : new String[] {
            "\"Name\":\"disk\"",
            "\"RequestedCapacityMinBytes\":1048576",
            "\"AccessMode\":\"single-node-single-writer\"",
            "\"LTarget\":\"${meta.disk}\"",
            "\"mode\":\"0750\""
        }) {
            assertTrue(body.contains(part), body);
        }
    }

    @Test
    void oneWhoseNodeHasNotAnswered_saysWhatItWaitsFor() {
        agent.answers("GET /v1/volumes?prefix=disk&type=host", STUB)
                .answers(
                        "GET /v1/volume/host/" + ID,
                        "{\"BlockedBy\":{\"Hint\":\"no space; it is not asked again\","
                                + "\"Holder\":\"node n1\",\"NextTry\":null,\"Since\":null,"
                                + "\"Step\":\"create\",\"What\":\"volume disk\"},"
                                + WHOLE.substring(1));
        assertEquals(0, session.run("volume status disk"), () -> session.err);
        assertTrue(
                session.out.contains(
                        "Waiting\n  * volume disk has waited for node n1;\n" + "    no space; it is not asked again."),
                session.out);
    }

    @Test
    void oneIsShownByItsName() {
        agent.answers("GET /v1/volumes?prefix=disk&type=host", STUB).answers("GET /v1/volume/host/" + ID, WHOLE);
        assertEquals(0, session.run("volume status disk"), () -> session.err);
        assertTrue(session.out.contains("/data/disk"), session.out);
        assertTrue(session.out.contains("single-node-writer"), session.out);
    }

    private static final String CLAIM = "8a1f44e0-1111-2222-3333-444455556666";
    private static final String CLAIMS = "[{\"AllocID\":\"a1\",\"CreateIndex\":5,\"ID\":\""
            + CLAIM
            + "\",\"JobID\":\"db\",\"ModifyIndex\":6,\"Namespace\":\"team\","
            + "\"TaskGroupName\":\"g\",\"VolumeID\":\""
            + ID
            + "\",\"VolumeName\":\"disk\"}]";

    @Test
    void claimsAreListed_ofAJobOrGroupOrName() {
        agent.answers("GET /v1/volumes/claims", CLAIMS)
                .answers("GET /v1/volumes/claims?job_id=db&prefix=8a&task_group=g&volume_name=disk", CLAIMS);
        assertEquals(0, session.run("volume claim list"), () -> session.err);
        assertEquals(
                "ID        Namespace  Job ID  Volume ID  Volume Name\n"
                        + "8a1f44e0  team       db      6b6b8a4e   disk\n",
                session.out);
        assertEquals(
                0, session.run("volume claim list -job=db -group=g -volume-name=disk -json 8a"), () -> session.err);
        assertTrue(session.out.contains("\"TaskGroupName\": \"g\""), session.out);
    }

    @Test
    void withoutClaims_thatIsSaid() {
        agent.answers("GET /v1/volumes/claims", "[]");
        assertEquals(0, session.run("volume claim list"), () -> session.err);
        assertEquals("No volume claims\n", session.err);
    }

    @Test
    void aClaimIsDeleted_ofItsBeginningOnlyIfItIsMeant() {
        agent.answers("GET /v1/volumes/claims?prefix=8a1f", CLAIMS)
                .answers("GET /v1/volumes/claims?prefix=" + CLAIM, CLAIMS)
                .answers("DELETE /v1/volumes/claim/" + CLAIM + "?namespace=team", "");
        assertEquals(1, session.run("volume claim delete 8a1f"));
        assertTrue(session.err.contains("volume claim delete -y " + CLAIM), session.err);
        assertEquals(0, session.run("volume claim delete -y 8a1f"), () -> session.err);
        assertEquals("Successfully deleted volume claim \"" + CLAIM + "\"!\n", session.out);
        assertEquals(0, session.run("volume claim delete " + CLAIM), () -> session.err);
    }

    @Test
    void oneIsDeletedByItsId() {
        agent.answers("GET /v1/volumes?prefix=" + ID + "&type=host", STUB)
                .answers("DELETE /v1/volume/host/" + ID, "{\"Index\":9}");
        assertEquals(0, session.run("volume delete -type=host " + ID), () -> session.err);
        assertEquals("Successfully deleted volume \"" + ID + "\"!\n", session.out);
    }
}
