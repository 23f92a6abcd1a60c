package io.cleat.driverplugin.config;

import io.cleat.driverschema.SpecProto;
import io.cleat.driverschema.SpecProto.Spec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A schema as a table for people. */
final class SchemaRows {
    private SchemaRows() {}

    /** By name. */
    static List<SchemaRow> of(Spec spec) {
        List<SchemaRow> rows = new ArrayList<>();
        rows("", spec, "", rows);
        rows.sort(Comparator.comparing(SchemaRow::name));
        return rows;
    }

    private static void rows(String above, Spec of, String usual, List<SchemaRow> rows) {
        switch (of.getBlockCase()) {
            case OBJECT -> of.getObject().getAttributesMap().values().forEach(each -> rows(above, each, usual, rows));
            case ARRAY -> of.getArray().getValuesList().forEach(each -> rows(above, each, usual, rows));
            case ATTR -> {
                SpecProto.Attr attr = of.getAttr();
                rows.add(new SchemaRow(above + attr.getName(), attr.getType(), attr.getRequired(), usual));
            }
            case BLOCK_ATTRS -> {
                SpecProto.BlockAttrs attrs = of.getBlockAttrs();
                rows.add(new SchemaRow(
                        above + attrs.getName(), "map(" + attrs.getType() + ")", attrs.getRequired(), usual));
            }
            case BLOCK_VALUE -> {
                SpecProto.Block one = of.getBlockValue();
                nested(above, one.getName(), "block", one.getRequired(), one.getNested(), rows);
            }
            case BLOCK_LIST -> {
                SpecProto.BlockList list = of.getBlockList();
                nested(above, list.getName(), "blocks", list.getMinItems() > 0, list.getNested(), rows);
            }
            case BLOCK_SET -> {
                SpecProto.BlockSet set = of.getBlockSet();
                nested(above, set.getName(), "blocks", set.getMinItems() > 0, set.getNested(), rows);
            }
            case BLOCK_MAP -> {
                SpecProto.BlockMap map = of.getBlockMap();
                nested(above, map.getName(), "blocks by label", false, map.getNested(), rows);
            }
            case DEFAULT -> {
                String other = of.getDefault().getDefault().getLiteral().getValue();
                rows(above, of.getDefault().getPrimary(), other, rows);
            }
            case LITERAL, BLOCK_NOT_SET -> {}
        }
    }

    private static void nested(
            String above, String name, String type, boolean required, Spec inside, List<SchemaRow> rows) {
        rows.add(new SchemaRow(above + name, type, required, ""));
        rows(above + name + ".", inside, "", rows);
    }
}
