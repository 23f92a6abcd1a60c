package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.model.GroupNetwork;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Networks of a group. What is given -> what is wrong, and what becomes of it. */
final class NetworkRulesTest {
    private static final StoredJob STORED = new StoredJob(0, 1, 1, 1, "running", "", false, false, 0);

    private static Job job(String networks) throws Refused {
        String text = "{'ID':'j','TaskGroups':[{'Name':'g','Networks':"
                + networks
                + ",'Tasks':[{'Name':'t','Driver':'exec','Config':{'command':'c'}}]}]}";
        return Canonical.stored(Json.read(text.replace('\'', '"'), Job.class));
    }

    private static TaskGroup group(Job job) {
        return Objects.requireNonNull(job.TaskGroups()).getFirst();
    }

    private static String faults(String networks) throws Refused {
        Faults faults = new Faults();
        NetworkRules.check(group(job(networks)), faults);
        return String.join("\n", faults.list());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    [{},{}] | has 2 network blocks: it may have one
                    [{'Mode':'brigde'}] | network has an unknown mode: "brigde"; use host, bridge, none or cni/NAME
                    [{'Mode':'cni/'}] | unknown mode: "cni/"
                    [{'Mode':'cni/../x'}] | unknown mode: "cni/../x"
                    [{'Mode':'none','DynamicPorts':[{'Label':'a'}]}] | "none" is reached by nobody
                    [{'Mode':'cni/x','CNI':{'Args':{'A;B':'c'}}}] | cni argument "A;B"
                    [{'Device':'eth0'}] | device of a network is not supported
                    [{'CIDR':'10.0.0.0/8'}] | cidr of a network is not supported
                    [{'IP':'10.0.0.1'}] | ip of a network is not supported
                    [{'MBits':10}] | mbits is not supported by this version of Cleat; remove it
                    [{'Hostname':'h'}] | hostname is for networks of an allocation's own, and mode is "host"
                    [{'Mode':'bridge','Hostname':'a_b'}] | hostname is "a_b": expected 1 to 63 letters
                    [{'Mode':'bridge','Hostname':'-a'}] | hostname is "-a"
                    [{'Mode':'bridge','Hostname':'a.'}] | hostname is "a."
                    [{'DNS':{'Servers':['ns.example.com']}}] | dns server "ns.example.com" is not an address
                    [{'DNS':{'Servers':['10.0.0.1','10.0.0.2','10.0.0.3','fd00::4']}}] | dns has 4 servers: at most 3, since programs ask no more
                    [{'DNS':{'Searches':['a b']}}] | dns search "a b" is not a domain
                    [{'DNS':{'Options':['ndots:2\\nnameserver 1.1.1.1']}}] | is not one of resolv.conf(5)
                    [{'CNI':{}}] | cni is for networks of mode "cni/NAME"
                    [{'DynamicPorts':[{'Label':''}]}] | a label is 1 to 63 letters
                    [{'DynamicPorts':[{'Label':'a b'}]}] | a label is 1 to 63 letters
                    [{'DynamicPorts':[{'Label':'a'},{'Label':'a'}]}] | port label "a" is used twice
                    [{'DynamicPorts':[{'Label':'a'}],'ReservedPorts':[{'Label':'a','Value':1}]}] | port label "a" is used twice
                    [{'DynamicPorts':[{'Label':'a','Value':80}]}] | "a" is one of DynamicPorts and has the value 80
                    [{'DynamicPorts':[{'Label':'a','IgnoreCollision':true}]}] | ignore_collision is for static ports
                    [{'DynamicPorts':[{'Label':'a','To':-2}]}] | to must be 1 to 65535, or -1 for the same port, is -2
                    [{'DynamicPorts':[{'Label':'a','To':65536}]}] | is 65536
                    [{'DynamicPorts':[{'Label':'a','HostNetwork':'a/b'}]}] | host network
                    [{'ReservedPorts':[{'Label':'a','Value':0}]}] | port "a" must be 1 to 65535, is 0
                    [{'ReservedPorts':[{'Label':'a','Value':65536}]}] | port "a" must be 1 to 65535, is 65536
                    [{'ReservedPorts':[{'Label':'a','Value':80},{'Label':'b','Value':80}]}] | static port 80 is asked for by port "a" and by port "b"
                    """)
    void whatIsFaulty_isSaid(String networks, String words) throws Refused {
        String all = faults(networks);
        assertTrue(all.contains(words), all);
    }

    @ParameterizedTest
    @CsvSource({
        "exec,bridge,''",
        "exec,none,''",
        "exec,cni/inner,''",
        "of-a-plugin,bridge,''",
        "raw_exec,host,''",
        "raw_exec,bridge,its tasks are not isolated from the node; use exec",
        "docker,bridge,''"
    })
    void theDriversThatEveryNodeHas_sayWhichNetworksTheyJoin(String driver, String mode, String words) throws Refused {
        String text = "{'ID':'j','TaskGroups':[{'Name':'g','Networks':[{'Mode':'%s'}],'Tasks':[{'Name':'t',"
                + "'Driver':'%s','Config':{'command':'c','image':'i'}}]}]}";
        Job job = Canonical.stored(Json.read(text.formatted(mode, driver).replace('\'', '"'), Job.class));
        Faults faults = new Faults();
        NetworkRules.check(group(job), faults);
        String all = String.join("\n", faults.list());
        assertTrue(words.isEmpty() ? all.isEmpty() : all.contains(words), all);
    }

    @Test
    void tooManyPorts_areRefusedByTheirNumberAlone() throws Refused {
        String ports = "{'Label':'a'},".repeat(100) + "{'Label':'a'}";
        String all = faults("[{'DynamicPorts':[" + ports + "]}]");
        assertTrue(all.contains("network has 101 ports: at most 100 may be"), all);
        assertTrue(!all.contains("twice"), all);
    }

    @Test
    void aLabelThatADockerTaskNames_hasToBeThere() throws Refused {
        String text = "{'ID':'j','TaskGroups':[{'Name':'g','Networks':[{'DynamicPorts':[{'Label':'http'},"
                + "{'Label':'alt'}]}],'Tasks':[{'Name':'t','Driver':'docker','Config':"
                + "{'image':'x','ports':['http','htpp','${meta.port}']}}]}]}";
        Job job = Canonical.stored(Json.read(text.replace('\'', '"'), Job.class));
        Faults faults = new Faults();
        NetworkRules.check(group(job), faults);
        assertEquals(
                List.of("Port \"htpp\" of task \"t\" not found, check network block: the group has alt, http"),
                faults.list());
    }

    @Test
    void whatIsLeftOutIsTheUsual_andNothingIsLostOnTheWay() throws Refused {
        Job given = job("[{'DynamicPorts':[{'Label':'http','To':80}],'ReservedPorts':[{'Label':'admin',"
                + "'Value':9090,'HostNetwork':'inner','IgnoreCollision':true}]}]");
        assertEquals("", faults("[{'DynamicPorts':[{'Label':'http','To':80}]}]"));
        GroupNetwork network =
                Objects.requireNonNull(GroupBlocks.GROUP.toModel(group(given)).network());
        assertEquals(
                new GroupNetwork(
                        "host",
                        "",
                        null,
                        List.of(
                                new PortRequest("admin", 9090, 0, "inner", true),
                                new PortRequest("http", 0, 80, "default", false)),
                        Map.of()),
                network);
        Job back = JobConversion.toJob(JobConversion.toSpec(given), STORED);
        assertEquals(group(given).Networks(), group(back).Networks());
        assertEquals(given.TaskGroups(), Canonical.stored(given).TaskGroups());
    }

    @Test
    void networksOfTheirOwn_areCarriedWithAllTheySay() throws Refused {
        Job given = job("[{'Mode':'cni/mynet','Hostname':'h','DNS':{'Servers':['192.0.2.53'],"
                + "'Searches':['example.com'],'Options':['ndots:2']},"
                + "'CNI':{'Args':{'VLAN':'7'}}}]");
        Job back = JobConversion.toJob(JobConversion.toSpec(given), STORED);
        assertEquals(group(given).Networks(), group(back).Networks());
    }

    @Test
    void aGroupWithoutANetwork_hasNone() throws Refused {
        assertNull(GroupBlocks.GROUP.toModel(group(job("null"))).network());
        assertNull(group(job("null")).Networks());
    }

    @Test
    void rangesOfPorts_areRead() {
        List<PortRange> ranges = PortRange.read("22, 8000-8002,x,5-4,0,70000");
        assertEquals(List.of(new PortRange(22, 22), new PortRange(8000, 8002)), ranges);
        assertEquals("22,8000-8002", PortRange.text(ranges));
        assertEquals(List.of(), PortRange.read(""));
        assertEquals(Optional.empty(), PortRange.fault("22,8000-8002"));
        assertEquals(Optional.empty(), PortRange.fault(""));
        for (String faulty : List.of("x", "5-4", "0", "65536", "1,", "1-2-3")) {
            assertTrue(PortRange.fault(faulty).isPresent(), faulty);
        }
    }
}
