package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Services on the command line. */
class ServiceVerbsTest {
    private static final String PLACE = """
            [{"Address":"127.0.0.1","AllocID":"5f0730ca-b055-52ac-f56e-358f3f7412f6","CreateIndex":14,
            "Datacenter":"dc1","ID":"_nomad-task-5f0730ca-x","JobID":"example","ModifyIndex":24,
            "Namespace":"default","NodeID":"7406e90b-de16-d118-80fe-60d0f2730cb3","Port":22686,
            "ServiceName":"redis","Tags":["db","cache"]}]""";

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = new FakeAgent();
        session = new Session();
        session.variables.put("NOMAD_ADDR", agent.address());
    }

    @AfterEach
    void close() {
        agent.close();
    }

    @Test
    void theListHasNamesAndTags_andNamespacesWhereAllAreAskedFor() {
        String two = "[{\"Namespace\":\"a\",\"Services\":[{\"ServiceName\":\"redis\",\"Tags\":"
                + "[\"cache\",\"db\"]},{\"ServiceName\":\"web\",\"Tags\":[]}]}]";
        agent.answers("GET /v1/services", two).answers("GET /v1/services?namespace=*", two);
        assertEquals(0, session.run("service list"), () -> session.err);
        assertEquals("Service Name  Tags\nredis         [cache,db]\nweb           []\n", session.out);
        assertEquals(0, session.run("service list -namespace=*"), () -> session.err);
        assertTrue(session.out.startsWith("Service Name  Namespace  Tags\n"), session.out);
        agent.answers("GET /v1/services?filter=x", "[]");
        assertEquals(0, session.run("service list -filter=x"), () -> session.err);
        assertEquals("No service registrations found\n", session.out);
    }

    @Test
    void aServiceIsShownShort_andWhole() {
        agent.answers("GET /v1/service/redis", PLACE);
        assertEquals(0, session.run("service info redis"), () -> session.err);
        assertEquals(
                "Job ID   Address          Tags        Node ID   Alloc ID\n"
                        + "example  127.0.0.1:22686  [db,cache]  7406e90b  5f0730ca\n",
                session.out);
        assertEquals(0, session.run("service info -verbose redis"), () -> session.err);
        assertTrue(
                session.out.startsWith("ID           = _nomad-task-5f0730ca-x\nService Name = redis\n"), session.out);
        agent.answers("GET /v1/service/none", "[]");
        assertEquals(0, session.run("service info none"), () -> session.err);
        assertEquals("No service registrations found\n", session.out);
    }

    @Test
    void checksAreShownOneByOne() {
        String alloc = "5f0730ca-b055-52ac-f56e-358f3f7412f6";
        agent.answers("GET /v1/allocations?prefix=" + alloc, "[{\"ID\":\"" + alloc + "\",\"Namespace\":\"default\"}]");
        agent.answers("GET /v1/client/allocation/" + alloc + "/checks", """
                {"c1":{"Check":"alive","Group":"web.g[0]","ID":"c1","Mode":"healthiness",
                "Output":"nomad: answered 503: busy","Service":"redis","Status":"failure",
                "StatusCode":503,"Task":"(group)","Timestamp":1790000000}}""");
        assertEquals(0, session.run("alloc checks " + alloc), () -> session.err);
        assertTrue(
                session.out.startsWith("Status of 1 Nomad Service Check\n\nID         = c1\nName       = alive\n"
                        + "Group      = web.g[0]\nTask       = (group)\n"
                        + "Service    = redis\nStatus     = failure\nStatusCode = 503\n"),
                session.out);
        assertTrue(session.out.contains("Output     = nomad: answered 503: busy\n"), session.out);
    }

    @Test
    void onePlaceIsTakenOut() {
        agent.answers("DELETE /v1/service/redis/_nomad-task-5f0730ca-x", "");
        assertEquals(0, session.run("service delete redis _nomad-task-5f0730ca-x"), () -> session.err);
        assertEquals("Successfully deleted service registration\n", session.out);
    }
}
