package io.cleat.jobspec.hcl;

import java.math.BigDecimal;
import java.util.List;
import java.util.SortedMap;

/** What a function is called with. Each accessor refuses an argument of another kind. */
record Arguments(List<Value> values, Source source) {
    /** One argument as something else. */
    @FunctionalInterface
    private interface Conversion<T> {
        T apply(Value value) throws Misuse;
    }

    int count() {
        return values.size();
    }

    Value value(int index) {
        return values.get(index);
    }

    String text(int index) throws Misuse {
        return convert(index, Convert::text);
    }

    BigDecimal number(int index) throws Misuse {
        return convert(index, Convert::number);
    }

    int integer(int index) throws Misuse {
        return convert(index, Convert::integer);
    }

    boolean bool(int index) throws Misuse {
        return convert(index, Convert::bool);
    }

    List<Value> items(int index) throws Misuse {
        return convert(index, Convert::items);
    }

    SortedMap<String, Value> fields(int index) throws Misuse {
        return convert(index, Convert::fields);
    }

    private <T> T convert(int index, Conversion<T> conversion) throws Misuse {
        try {
            return conversion.apply(values.get(index));
        } catch (Misuse e) {
            throw new Misuse("Argument " + (index + 1) + ": " + e.detail());
        }
    }
}
