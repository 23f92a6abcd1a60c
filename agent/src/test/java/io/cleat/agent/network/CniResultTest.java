package io.cleat.agent.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AllocAddress;
import io.cleat.model.NetworkDns;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a CNI plugin answers -> where the allocation is. */
final class CniResultTest {
    private static final String INTERFACES =
            "'interfaces':[{'name':'cleat'},{'name':'veth1'},{'name':'eth0','sandbox':'/run/netns/a'},"
                    + "{'name':'eth1','sandbox':'/run/netns/a'}],";

    private static JsonNode json(String text) {
        return JsonMapper.builder().build().readTree("{" + text.replace('\'', '"') + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'ips':[] | none",
                "'dns':{'search':['a.b']} | none",
                "'ips':[{'address':'10.1.0.2/16'}],'dns':{} | 10.1.0.2 null",
                "'dns':{'nameservers':['10.1.0.53'],'domain':'a.b'} | '' [10.1.0.53] [a.b] []",
                "'ips':[{'address':'10.1.0.2/16'}],"
                        + "'dns':{'nameservers':['fd00::53'],'domain':'a','search':['b','c'],'options':['ndots:2']}"
                        + " | 10.1.0.2 [fd00::53] [b, c] [ndots:2]",
            })
    void howNamesAreResolved(String result, String expected) throws Exception {
        Optional<AllocAddress> found = CniResult.address(json(result), "eth0");
        assertEquals(
                expected,
                found.map(is -> (is.address().isEmpty() ? "''" : is.address()) + words(is.dns()))
                        .orElse("none"));
    }

    private static String words(@Nullable NetworkDns dns) {
        return dns == null ? " null" : " " + dns.servers() + " " + dns.searches() + " " + dns.options();
    }

    @Test
    void aNameServerThatIsNone_isSaid() {
        CniResult.Faulty fault = assertThrows(
                CniResult.Faulty.class, () -> CniResult.address(json("'dns':{'nameservers':['x y']}"), "eth0"));
        assertEquals("dns server \"x y\" is not an address, such as 192.0.2.53 or fd00::53", fault.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'ips':[{'address':'10.1.0.2/16'}] | eth0 10.1.0.2 -",
                "IF'ips':[{'address':'10.1.0.2/16','interface':2}] | eth0 10.1.0.2 -",
                "IF'ips':[{'address':'10.1.0.1/16','interface':0},{'address':'10.1.0.2/16','interface':2}]"
                        + " | eth0 10.1.0.2 -",
                "IF'ips':[{'address':'10.1.0.2/16','interface':3},{'address':'10.2.0.2/16','interface':2}]"
                        + " | eth1 10.1.0.2 -",
                "IF'ips':[{'address':'fd00::2/64','interface':2},{'address':'10.1.0.2/16','interface':2}]"
                        + " | eth0 10.1.0.2 fd00::2",
                "'ips':[{'address':'fd00::2/64'}] | eth0 fd00::2 fd00::2",
                "'ips':[] | none",
                "'ips':null | none",
                "'dns':{} | none",
                "IF'ips':[{'address':'10.1.0.1/16','interface':9}] | none",
            })
    void theAddressOfTheInterfaceThatTasksSee(String result, String expected) throws Exception {
        Optional<AllocAddress> found = CniResult.address(json(result.replace("IF", INTERFACES)), "eth0");
        assertEquals(
                expected,
                found.map(is -> is.interfaceName()
                                + " "
                                + is.address()
                                + " "
                                + (is.addressIpv6().isEmpty() ? "-" : is.addressIpv6()))
                        .orElse("none"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'ips':'10.1.0.2' | \"ips\" in its answer is no list",
                "'ips':[7] | an address in its answer is \"\": expected one with its prefix",
                "'ips':[{'address':'example.com/24'}] | an address in its answer is \"example.com/24\"",
                "'ips':[{'address':'10.1.0.2'}] | an address in its answer is \"10.1.0.2\"",
                "'interfaces':7,'ips':[{'address':'10.1.0.2/16'}] | \"interfaces\" in its answer is no list",
                "'interfaces':[{'sandbox':'/n'}],'ips':[{'address':'10.1.0.2/16','interface':0}]"
                        + " | an interface in its answer is called \"\"",
                "'interfaces':[{'name':'0123456789abcdef','sandbox':'/n'}],"
                        + "'ips':[{'address':'10.1.0.2/16','interface':0}]"
                        + " | an interface in its answer is called \"0123456789abcdef\"",
            })
    void anAnswerThatIsNone_isSaid(String result, String words) {
        CniResult.Faulty fault = assertThrows(CniResult.Faulty.class, () -> CniResult.address(json(result), "eth0"));
        assertTrue(fault.toString().contains(words), fault.toString());
    }
}
