@NullMarked
package io.cleat.clusterapi.operator;

import org.jspecify.annotations.NullMarked;
