package winnow.broker.admin;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Parameter;
import winnow.broker.admin.request.RequestAccess;
import winnow.broker.config.ConfigReader;
import winnow.broker.permission.AccessControl;
import winnow.broker.permission.Permission;
import winnow.broker.permission.PermissionDecision;
import winnow.broker.permission.PermissionList;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.transport.HttpServer.Response;

/// The permissions in force: shown and tried. Thread-safe.
final class PermissionPages {
    private final AccessControl control;

    PermissionPages(AccessControl control) {
        this.control = control;
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.get("permissions", "getPermissions", "groups and rules in force")
                        .of(PermissionList.class)
                        .needs(Permission.ADMIN)
                        .by(_ -> JsonPage.of(PermissionList.of(control.current()))));
        routes.add(
                Route.get(
                                "permissions/test",
                                "testPermission",
                                "what a user may do, and by which rule; one's own user without"
                                        + " groups needs no permission for it")
                        .of(PermissionDecision.class)
                        .with(
                                Parameter.USER,
                                Parameter.OPERATION,
                                Parameter.KIND,
                                Parameter.OBJECT,
                                Parameter.CLIENT,
                                Parameter.GROUP)
                        .looksUp(Permission.ADMIN)
                        .by(this::test));
    }

    private CompletionStage<Response> test(Asked asked) {
        String user = asked.text(Parameter.USER);
        RequestAccess access = asked.access();
        Set<String> groups = Set.copyOf(asked.parameters().getOrDefault("group", List.of()));
        boolean own = user.equals(access.user()) && groups.stream().allMatch(String::isEmpty);
        if (!own && !access.granted().allow(Permission.ADMIN)) {
            throw access.refused(Permission.ADMIN, ProtectedKind.BROKER, "");
        }
        Permission operation =
                (Permission)
                        ConfigReader.parseEnum(Permission.class, asked.text(Parameter.OPERATION));
        ProtectedKind kind =
                (ProtectedKind)
                        ConfigReader.parseEnum(ProtectedKind.class, asked.text(Parameter.KIND));
        PermissionDecision decision =
                PermissionDecision.of(
                        control.current(),
                        user,
                        groups,
                        new PermissionDecision.Question(
                                operation,
                                kind,
                                asked.text(Parameter.OBJECT),
                                asked.text(Parameter.CLIENT)));
        return JsonPage.of(
                access.granted().allow(Permission.ADMIN) ? decision : decision.withoutFile());
    }
}
