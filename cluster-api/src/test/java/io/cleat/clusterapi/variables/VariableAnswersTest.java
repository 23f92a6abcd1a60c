package io.cleat.clusterapi.variables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.api.Nanos;
import io.cleat.api.Variable;
import io.cleat.api.VariableLock;
import io.cleat.api.VariableMetadata;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.VariableId;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VariableAnswersTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "");
    private static final OptionalLong ANY = OptionalLong.empty();

    private final SampleCluster sample = SampleCluster.start()
            .apply(
                    put("default", "app/a"),
                    put("default", "app/b"),
                    put("default", "nomad/jobs"),
                    put("team", "app/c"));
    private final Intake intake = over(sample);
    private final VariableAnswers variables = intake.cluster().variables();

    private static Intake over(SampleCluster sample) {
        try {
            return Intake.over(sample.state());
        } catch (Trouble | InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @AfterEach
    void close() {
        intake.close();
    }

    private VariableRow stored(String path) {
        return intake.state().variables().find(new VariableId("default", path)).orElseThrow();
    }

    private static Change put(String namespace, String path) {
        return new Change.VariablePut(row(namespace, path));
    }

    private static VariableRow row(String namespace, String path) {
        VariableRow row = VariableRow.of(new VariableId(namespace, path), new Encrypted("x" + path), SampleCluster.AT);
        return path.equals("app/b")
                ? row.withLock(
                        io.cleat.state.VariableLock.taken("l-7", Duration.ofSeconds(15), Duration.ofMinutes(1)),
                        SampleCluster.AT)
                : row;
    }

    private static Variable wanted(Map<String, String> items, @Nullable VariableLock lock) {
        return Variable.wanted("default", "", Secrets.of(items), lock);
    }

    private List<String> paths(ListQuery query) throws Exception {
        return variables.list(query).body().toList().stream()
                .map(VariableMetadata::Path)
                .toList();
    }

    private static ListQuery list(String namespace, String prefix, int perPage, String token) {
        return new ListQuery(ReadQuery.now(namespace), prefix, Filter.ALL, perPage, token, false);
    }

    @Test
    void aList_hasTheVariablesOfItsNamespace_withoutItemsAndLockIds() throws Exception {
        assertEquals(List.of("app/a", "app/b", "nomad/jobs"), paths(ListQuery.all("default")));
        assertEquals(List.of("app/a", "app/b"), paths(list("default", "app/", 0, "")));
        assertEquals(List.of("app/a", "app/b", "nomad/jobs", "app/c"), paths(ListQuery.all("*")));
        String json = Json.text(variables.list(ListQuery.all("*")).body().toList());
        assertTrue(!json.contains("Items") && !json.contains("l-7"), json);
        assertTrue(json.contains("\"Lock\":{\"LockDelay\":\"1m0s\",\"TTL\":\"15s\"}"), json);
    }

    @Test
    void aPage_saysWhereTheNextBegins() throws Exception {
        assertEquals(
                "default.app/b",
                variables.list(list("default", "", 1, "")).meta().nextToken());
        assertEquals(List.of("app/b"), paths(list("default", "", 1, "default.app/b")));
    }

    @Test
    void oneVariable_isShownWithItsItems() throws Exception {
        Variable a = variables.get(NOW, "app/a").body().orElseThrow();
        assertEquals(Secrets.of(Map.of("of", "xapp/a")), a.Items());
        assertNull(a.Lock());
        assertEquals(a.CreateIndex(), a.ModifyIndex());
        assertEquals(Nanos.of(SampleCluster.AT), a.CreateTime());
        assertEquals(
                new VariableLock("", "1m0s", "15s"),
                variables.get(NOW, "app/b").body().orElseThrow().Lock());
        assertEquals(Optional.empty(), variables.get(NOW, "app").body());
        assertEquals(Optional.empty(), variables.get(NOW, "app/c").body());
    }

    @Test
    void aWrite_isAnsweredWithWhatIsStored() throws Exception {
        VariableAnswers.Written written = variables.put(WRITE, "app/d", wanted(Map.of("a", "b"), null), ANY);
        VariableRow row = stored("app/d");
        assertEquals(
                new Variable(
                        row.createVersion(),
                        Nanos.of(row.createdAt()),
                        Secrets.of(Map.of("a", "b")),
                        null,
                        row.modifyVersion(),
                        Nanos.of(row.modifiedAt()),
                        "default",
                        "app/d"),
                written.variable());
        assertEquals(written.variable(), variables.get(NOW, "app/d").body().orElseThrow());
    }

    @Test
    void aConflict_showsWhatStandsInTheWay_andThatNothingDoes() throws Exception {
        Variable there = variables
                .put(WRITE, "app/a", wanted(Map.of("a", "b"), null), OptionalLong.of(3))
                .variable();
        assertEquals(Secrets.of(Map.of("of", "xapp/a")), there.Items());
        VariableAnswers.Written absent = variables.delete(WRITE, "app/d", OptionalLong.of(3));
        assertTrue(absent.conflicts());
        assertEquals(0, absent.variable().ModifyIndex());
    }

    @Test
    void aLock_isTakenForTheTimeThatIsAskedFor_orFor15Seconds() throws Exception {
        VariableAnswers.Written taken =
                variables.lock(WRITE, "app/d", wanted(Map.of(), new VariableLock("", "20s", "1m")));
        String id = stored("app/d").held().orElseThrow().id();
        assertEquals(new VariableLock(id, "20s", "1m0s"), taken.variable().Lock());
        assertNull(taken.variable().Items());
        variables.lock(WRITE, "app/e", wanted(Map.of(), null));
        io.cleat.state.VariableLock usual = stored("app/e").held().orElseThrow();
        assertEquals(Duration.ofSeconds(15), usual.ttl());
        assertEquals(Duration.ofSeconds(15), usual.delay());
    }

    @Test
    void whoeverHoldsALock_showsItsId() throws Exception {
        Variable held = wanted(Map.of(), new VariableLock("l-7", "", ""));
        assertEquals("l-7", lockId(variables.renew(WRITE, "app/b", held)));
        assertTrue(variables
                .put(WRITE, "app/b", wanted(Map.of("a", "b"), null), ANY)
                .conflicts());
        assertFalse(variables
                .put(WRITE, "app/b", wanted(Map.of("a", "b"), held.Lock()), ANY)
                .conflicts());
        assertFalse(variables.release(WRITE, "app/b", held).conflicts());
        assertTrue(stored("app/b").held().isEmpty());
    }

    @Test
    void theTimesOfALockThatIsHeld_cannotBeChanged() throws Exception {
        refused(
                "cannot be changed while it is held",
                () -> variables.put(WRITE, "app/b", wanted(Map.of("a", "b"), new VariableLock("l-7", "", "20s")), ANY));
        refused(
                "cannot be changed while it is held",
                () -> variables.put(
                        WRITE, "app/b", wanted(Map.of("a", "b"), new VariableLock("l-7", "never", "")), ANY));
        variables.put(WRITE, "app/b", wanted(Map.of("a", "b"), new VariableLock("l-7", "60s", "15s")), ANY);
        assertNotEquals(sample.state().version(), intake.state().version());
    }

    private static String lockId(VariableAnswers.Written written) {
        VariableLock lock = written.variable().Lock();
        return lock == null ? "none" : lock.ID();
    }

    private void refused(String words, Asking asking) {
        Refused refused = assertThrows(Refused.class, asking::ask);
        assertTrue(refused.refusal() instanceof Refusal.Malformed, refused.toString());
        assertTrue(
                refused.refusal().message().contains(words), refused.refusal().message());
        assertEquals(sample.state().version(), intake.state().version(), "something changed");
    }

    private interface Asking {
        Object ask() throws Exception;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a b", "a@b", "\u00e4", "nomad", "nomad/acl", "nomad/job"})
    void aPathThatAVariableCannotHave_isRefused(String path) {
        Variable good = wanted(Map.of("a", "b"), null);
        refused("path", () -> variables.put(WRITE, path, good, ANY));
        refused("path", () -> variables.lock(WRITE, path, good));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nomad/jobs",
                "nomad/jobs/a/b/c",
                "nomad/job-templates",
                "nomad/job-templates/x",
                "nomads",
                "a-b_c~d/E/9"
            })
    void aPathThatItCanHave_isTaken(String path) throws Exception {
        variables.put(WRITE, path, wanted(Map.of("a", "b"), null), ANY);
        assertEquals(intake.state().version(), stored(path).modifyVersion());
    }

    @Test
    void whatCannotBeStored_isRefused_andNoValueIsSaid() {
        refused("1 to 128", () -> variables.put(WRITE, "x".repeat(129), wanted(Map.of("a", "b"), null), ANY));
        refused("no items", () -> variables.put(WRITE, "a", wanted(Map.of(), null), ANY));
        refused("no name", () -> variables.put(WRITE, "a", wanted(Map.of("", "b"), null), ANY));
        String large = "s3cret".repeat(11_000);
        refused("66001 bytes, at most 65536", () -> variables.put(WRITE, "a", wanted(Map.of("a", large), null), ANY));
        refused("from 10s to 24h", () -> variables.lock(WRITE, "a", wanted(Map.of(), new VariableLock("", "", "9s"))));
        refused("from 10s to 24h", () -> variables.lock(WRITE, "a", wanted(Map.of(), new VariableLock("", "25h", ""))));
        refused("server's to give", () -> variables.lock(WRITE, "a", wanted(Map.of(), new VariableLock("x", "", ""))));
        refused(
                "has no ID",
                () -> variables.put(WRITE, "a", wanted(Map.of("a", "b"), new VariableLock("", "", "")), ANY));
        refused("Lock.ID is missing", () -> variables.renew(WRITE, "a", wanted(Map.of(), null)));
        refused(
                "Items are not changed here",
                () -> variables.release(WRITE, "a", wanted(Map.of("a", "b"), new VariableLock("x", "", ""))));
    }

    @Test
    void aVariable_neverPrintsItsValues() {
        Variable secret = wanted(Map.of("name", "s3cret"), null);
        assertTrue(!secret.toString().contains("s3cret"), secret.toString());
    }
}
