package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Secrets;
import io.cleat.model.JobType;
import io.cleat.model.VariableId;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.DeleteVariable;
import io.cleat.server.decide.PutVariable;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SentVariablesTest {
    private final Cluster cluster = new Cluster();
    private final Plainly vault = new Plainly();
    private final List<ToNode.TaskVariables> said = new ArrayList<>();
    private final SentVariables told = new SentVariables("n1", vault);
    private AllocationRow web;

    /** Reads what is stored as it is, and says for what it was read. */
    private static final class Plainly implements Vault {
        private boolean isLost;

        @Override
        public Encrypted encrypt(Secrets secrets, Purpose purpose) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Secrets decrypt(Encrypted encrypted, Purpose purpose) throws DiskTrouble {
            if (isLost) {
                throw new DiskTrouble("the key is gone", Effect.NONE, Retry.NEVER);
            }
            return Secrets.of(Map.of("v", encrypted.ciphertext() + " of " + purpose.text()));
        }
    }

    SentVariablesTest() {
        cluster.level = Change.VARIABLES_LEVEL;
        cluster.node("n1");
        cluster.run(Cluster.job("web", JobType.SERVICE, 1));
        web = cluster.allocation("web");
    }

    @BeforeEach
    void variables() {
        put("nomad/jobs", "a");
        put("nomad/jobs/web", "b");
        put("nomad/jobs/other", "c");
        put("secret", "d");
    }

    private void put(String path, String value) {
        cluster.accept(new PutVariable(new VariableId("default", path), new Encrypted(value), null, ""));
    }

    private String task() {
        return cluster.state()
                .jobVersion(web.jobVersion())
                .orElseThrow()
                .spec()
                .group(web.group())
                .orElseThrow()
                .tasks()
                .getFirst()
                .name();
    }

    private boolean want(String allocId, String task, boolean wanted) {
        return told.want(cluster.state(), new ToServer.VariablesWanted(allocId, task, wanted));
    }

    private List<ToNode.TaskVariables> tell() throws Exception {
        said.clear();
        told.tell(cluster.state(), message -> said.add((ToNode.TaskVariables) message));
        return said;
    }

    private List<String> paths() throws Exception {
        return tell().getFirst().variables().stream()
                .map(ToNode.TaskVariable::path)
                .toList();
    }

    @Test
    void aTask_isToldWhatItMayRead_andNothingElse() throws Exception {
        assertTrue(want(web.id(), task(), true));
        assertEquals(List.of("nomad/jobs", "nomad/jobs/web"), paths());
        assertEquals(
                Secrets.of(Map.of("v", "b of variable default/nomad/jobs/web")),
                said.getFirst().variables().getLast().items());
    }

    @Test
    void whatHasNotChanged_isNotSaidAgain_butToWhoAsksAgain() throws Exception {
        want(web.id(), task(), true);
        tell();
        put("nomad/jobs/other", "e");
        assertEquals(List.of(), tell());
        put("nomad/jobs/web/" + web.group(), "f");
        assertEquals(List.of("nomad/jobs", "nomad/jobs/web", "nomad/jobs/web/" + web.group()), paths());
        cluster.accept(new DeleteVariable(new VariableId("default", "nomad/jobs/web"), null));
        assertEquals(List.of("nomad/jobs", "nomad/jobs/web/" + web.group()), paths());
        want(web.id(), task(), false);
        want(web.id(), task(), true);
        assertEquals(1, tell().size());
    }

    @Test
    void whoDoesNotRunThere_isToldNothing() throws Exception {
        assertFalse(want("made-up", task(), true));
        assertFalse(want(web.id(), "made up", true));
        assertFalse(new SentVariables("n2", vault)
                .want(cluster.state(), new ToServer.VariablesWanted(web.id(), task(), true)));
        assertFalse(told.areWanted());
        assertEquals(List.of(), tell());
    }

    @Test
    void whoWantsNoMore_isToldNoMore() throws Exception {
        want(web.id(), task(), true);
        tell();
        want(web.id(), task(), false);
        put("nomad/jobs/web", "g");
        assertEquals(List.of(), tell());
        assertFalse(told.areWanted());
    }

    @Test
    void whatCannotBeRead_isSaid() throws Exception {
        vault.isLost = true;
        want(web.id(), task(), true);
        assertEquals("the key is gone", tell().getFirst().fault());
        assertEquals(List.of(), said.getFirst().variables());
    }
}
