import HTTPServing
import HTTPTypes

/// The routes of mirrors and their builds.
extension AdminRoutes {
    var mirrors: Table {
        let mirrors = AdminMirrors(gate: gate)
        let forms = AdminMirrorForms(gate: gate)
        let files = AdminBuildFiles(gate: gate)
        return [
            Route("/mirrors", [.get: mirrors.list, .post: forms.add]),
            Route("/mirrors/{mirror}", [.get: mirrors.page]),
            Route("/mirrors/{mirror}/sync", [.post: mirrors.sync]),
            Route("/mirrors/{mirror}/builds", [.post: mirrors.build]),
            Route("/mirrors/{mirror}/builds/{build}", [.get: mirrors.buildPage]),
            Route("/mirrors/{mirror}/builds/{build}/log", [.get: files.log]),
            Route("/mirrors/{mirror}/builds/{build}/cancel", [.post: mirrors.cancel]),
            Route("/mirrors/{mirror}/builds/{build}/files/{file}", [.get: files.file]),
        ] + forms.table + AdminRunners(gate: gate).table
    }
}
