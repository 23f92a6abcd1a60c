@NullMarked
package io.cleat.clusterapi.variables;

import org.jspecify.annotations.NullMarked;
