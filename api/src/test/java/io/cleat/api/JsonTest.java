package io.cleat.api;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.InputLimits;
import io.cleat.base.Refused;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;

class JsonTest {
    /** A mebibyte of them would take fifty and more as records. */
    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "{\"a\":0}", "[0]"})
    void aBodyOfTooManyListsAndObjectsIsRefusedUnread(String part) throws Refused {
        String most = "[" + (part + ",").repeat(InputLimits.SENT_PARTS - 2) + part + "]";
        assertNotNull(Json.readSent(most.getBytes(StandardCharsets.UTF_8), Object.class));
        String more = "[" + part + "," + most.substring(1);
        Refused refused = assertThrows(
                Refused.class, () -> Json.readSent(more.getBytes(StandardCharsets.UTF_8), JobPlanRequest.class));
        assertTrue(
                refused.refusal()
                        .message()
                        .startsWith("the JSON has more than 50000 lists and objects (line 1, column "),
                refused.refusal().message());
        assertNotNull(Json.read(more, Object.class));
    }

    /** A deployment had a key "over", from what is asked of it. */
    @Test
    void questionsThatARecordAnswers_areNoKeys() throws Exception {
        assertFalse(Json.text(Json.read("{}", Deployment.class)).contains("\"over\""));
        assertFalse(Json.text(Json.read("{}", EventBatch.class)).contains("\"heartbeat\""));
    }

    @Test
    void namesAreReadWhateverTheirCaseAndUnknownOnesIgnored() throws Refused {
        CsiVolume volume = Json.read("{\"id\":\"v1\",\"pluginId\":\"p\",\"New\":{}}", CsiVolume.class);
        assertEquals("v1", volume.ID());
        assertEquals("p", volume.PluginID());
    }

    @Test
    void whatIsAbsentIsEmptyOrNull() throws Refused {
        CsiVolume volume = Json.read("{\"Name\":null}", CsiVolume.class);
        assertEquals("", volume.Name());
        assertEquals(List.of(), volume.Allocations());
        assertTrue(volume.ReadAllocs().isEmpty());
        assertNull(volume.MountOptions());
        assertEquals(0, volume.Capacity());
    }

    @Test
    void theZeroTimeOfClientsIsNull() throws Refused {
        String body = "{\"ResourceExhausted\":\"0001-01-01T00:00:00Z\"}";
        assertNull(Json.read(body, CsiVolume.class).ResourceExhausted());
        assertTrue(Json.text(Json.read(body, CsiVolume.class)).contains("\"ResourceExhausted\":null"));
    }

    @Test
    void timesHaveAsManyDigitsAsNeeded() {
        assertEquals("2026-11-21T03:35:57Z", WireTime.format(Instant.ofEpochSecond(1795232157L)));
        assertEquals("2026-11-21T03:35:57.12Z", WireTime.format(Instant.ofEpochSecond(1795232157L, 120_000_000)));
        assertEquals("2026-11-21T03:35:57.000000001Z", WireTime.format(Instant.ofEpochSecond(1795232157L, 1)));
        assertEquals(Instant.parse("2026-11-21T02:35:57Z"), WireTime.parse("2026-11-21T03:35:57+01:00"));
    }

    @Test
    void allBitsOfALongAreKept() throws Refused {
        String body = "{\"MaxVolumes\":9223372036854775807}";
        PluginNode node = Json.read(body, PluginNode.class);
        assertEquals(Long.MAX_VALUE, node.MaxVolumes());
        assertTrue(Json.text(node).contains("9223372036854775807"));
    }

    @Test
    void prettyIsFourSpacesAndALineEnd() {
        String text = new String(Json.writePretty(new CsiCapability("a", "b")), StandardCharsets.UTF_8);
        assertEquals("{\n    \"AccessMode\": \"a\",\n    \"AttachmentMode\": \"b\"\n}\n", text);
    }

    @Test
    void anEmptyListIsPrettyOnOneLine() {
        assertEquals("[]\n", new String(Json.writePretty(List.of()), StandardCharsets.UTF_8));
    }

    @Test
    void htmlIsNotEscaped() {
        assertEquals("\"<a> & b\"", Json.text("<a> & b"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'Capacity':'x'} | expected a whole number in range at Capacity (line 1, column 13)",
                "{'Capacity':1.5} | expected a whole number in range at Capacity (line 1, column 13)",
                "{'Schedulable':'x'} | expected true or false at Schedulable (line 1, column 16)",
                "{'Topologies':5} | expected a list at Topologies (line 1, column 15)",
                "{'Name':{}} | expected a text at Name (line 1, column 9)",
                "{'ResourceExhausted':'today'} | expected a time such as 2026-01-02T03:04:05Z at"
                        + " ResourceExhausted (line 1, column 22)",
                "[] | expected an object (line 1, column 1)",
                "{'Name' | the JSON is not well-formed (line 1, column 8)",
            })
    void aFaultSaysWhatWasExpectedAndWhere(String json, String message) {
        assertEquals(message, fault(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'Secrets':'hush'}",
                "{'Secrets':{'k':hush}}",
                "{'Secrets':{'k':['hush']}}",
                "{'MountOptions':{'MountFlags':'hush'}}",
                "{'Secrets':{'k':'hush'},'Capacity':'hush'}",
                "{'Secrets':{'k':'hush",
            })
    void aFaultNeverQuotesWhatWasGiven(String json) {
        assertFalse(fault(json).contains("hush"), fault(json));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'Constraints':[null]} | expected an object at Constraints[0], given null",
                "{'TaskGroups':[null]} | expected an object at TaskGroups[0], given null",
                "{'Datacenters':['a',null]} | expected a text at Datacenters[1], given null",
                "{'Meta':{'a':null}} | expected a text at Meta.a, given null",
                "{'TaskGroups':[{'Volumes':{'v':null}}]} | expected an object at"
                        + " TaskGroups[0].Volumes.v, given null",
                "{'TaskGroups':[{'Tasks':[{'Name':'a'},null]}]} | expected an object at"
                        + " TaskGroups[0].Tasks[1], given null",
                "{'TaskGroups':[{'Tasks':[{'Templates':[{'ChangeScript':{'Args':[null]}}]}]}]} |"
                        + " expected a text at"
                        + " TaskGroups[0].Tasks[0].Templates[0].ChangeScript.Args[0], given null",
            })
    void readingANullInAListOrAMapIsRefusedWithItsPlace(String json, String message) {
        String fault = assertThrows(Refused.class, () -> Json.read(json.replace('\'', '"'), Job.class))
                .refusal()
                .message();
        assertTrue(fault.startsWith(message + " (line 1, column "), fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'Name':'\\ud800'} | the text at Name is not valid Unicode",
                "{'Name':'a\\udc00b'} | the text at Name is not valid Unicode",
                "{'Name':'a\\u0000'} | the text at Name holds a NUL character at position 1",
                "{'Meta':{'a\\u0000':'x'}} | a name at Meta.a\\u0000 holds a NUL character",
                "{'Meta':{'\\udfff':'x'}} | the JSON is not well-formed",
                "{'TaskGroups':[{},{'Name':'\\ud800x'}]} | the text at TaskGroups[1].Name is not",
                "{'Unknown':['\\ud800']} | the text at Unknown[0] is not valid Unicode",
                "{'TaskGroups':[{'Tasks':[{'Config':{'args':['\\ud800']}}]}]} | the text at"
                        + " TaskGroups[0].Tasks[0].Config.args[0] is not valid Unicode",
            })
    void readingATextThatIsNotUnicodeOrHoldsNul_isRefusedWithItsPlace(String json, String message) {
        String fault = jobFault(json);
        assertTrue(fault.startsWith(message), fault);
    }

    @Test
    void readingWhatIsBeyondTheLimits_isRefused() {
        assertTrue(jobFault("{'" + "n".repeat(5_000) + "':1}").contains("beyond what is read"));
        assertTrue(jobFault("{'Meta':{'" + "n".repeat(60_000) + "':''}}").contains("beyond"));
        assertTrue(jobFault("{'ID':'" + "n".repeat(2_000_000) + "'}").contains("beyond"));
        assertTrue(jobFault("{'x':" + "[".repeat(101) + "]".repeat(101) + "}").contains("beyond"));
        assertTrue(jobFault("{'Priority':" + "9".repeat(101) + "}").contains("beyond"));
    }

    private static String jobFault(String json) {
        return assertThrows(Refused.class, () -> Json.read(json.replace('\'', '"'), Job.class))
                .refusal()
                .message();
    }

    @Test
    void readingANullSecretIsRefusedWithItsPlace() {
        assertTrue(
                fault("{'Secrets':{'key':null}}").startsWith("expected a text at Secrets.key, given null"),
                fault("{'Secrets':{'key':null}}"));
    }

    @Test
    void readingANullInAListOfItsOwnIsRefusedWithItsPlace() {
        assertTrue(assertThrows(
                        Refused.class,
                        () -> Json.read(
                                "[{},null]".getBytes(StandardCharsets.UTF_8), new TypeReference<List<CsiVolume>>() {}))
                .refusal()
                .message()
                .startsWith("expected an object at [1], given null"));
    }

    @Test
    void readingANullInAMapOfMapsIsRefusedWithItsPlace() {
        assertTrue(assertThrows(
                        Refused.class, () -> Json.read("{\"NodeJobs\":{\"default\":{\"web\":null}}}", CsiPlugin.class))
                .refusal()
                .message()
                .startsWith("expected an object at NodeJobs.default.web, given null"));
    }

    /** Nomad sends them: of volumes it made, and where only the names of a map count. */
    @Test
    void readingANullWhereTheRecordAllowsItKeepsIt() throws Refused {
        CsiVolume volume = Json.read(
                "{\"Topologies\":[null,{\"Segments\":{\"a\":\"b\"}}],\"ReadAllocs\":{\"x\":null}}", CsiVolume.class);
        assertNull(requireNonNull(volume.Topologies()).getFirst());
        assertTrue(volume.ReadAllocs().containsKey("x"));
    }

    @Test
    void readingATimeThatIsNoTextIsRefused() {
        assertTrue(fault("{'ResourceExhausted':{'Name':'x'}}").startsWith("expected a time"));
        assertTrue(fault("{'ResourceExhausted':[5]}").startsWith("expected a time"));
        assertTrue(fault("{'ResourceExhausted':'+999999999-01-01T00:00:00Z'}").startsWith("expected a time"));
    }

    private static String fault(String json) {
        return assertThrows(Refused.class, () -> Json.read(json.replace('\'', '"'), CsiVolume.class))
                .refusal()
                .message();
    }

    @Test
    void secretsAndFlagsNeverPrint() throws Refused {
        CsiVolume volume = Json.read(
                "{\"Secrets\":{\"k\":\"hush\"},\"MountOptions\":{\"MountFlags\":[\"pw=hush\"]}}", CsiVolume.class);
        assertFalse(volume.toString().contains("hush"), volume.toString());
        assertNotNull(volume.Secrets());
        assertEquals("hush", volume.Secrets().reveal().get("k"));
    }

    @Test
    void objectsBackToBackAreReadOneByOne() throws Refused {
        byte[] stream = (Json.text(LogFrame.of("hi\n".getBytes(StandardCharsets.UTF_8), "f", 3))
                        + Json.text(LogFrame.HEARTBEAT))
                .getBytes(StandardCharsets.UTF_8);
        try (JsonSequence<LogFrame> frames = Json.sequence(new ByteArrayInputStream(stream), LogFrame.class)) {
            LogFrame first = frames.next().orElseThrow();
            assertEquals("hi\n", new String(first.bytes(), StandardCharsets.UTF_8));
            assertEquals(LogFrame.HEARTBEAT, frames.next().orElseThrow());
            assertTrue(frames.next().isEmpty());
        }
        assertTrue(new String(stream, StandardCharsets.UTF_8).endsWith("{}"));
    }
}
