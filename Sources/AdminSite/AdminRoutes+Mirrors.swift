import HTTPTypes

/// Repositories that are followed, and their builds.
extension AdminRoutes {
    var mirrors: Table {
        let mirrors = AdminMirrors(gate: gate)
        let files = AdminBuildFiles(gate: gate)
        return [
            ("/mirrors", [.get: mirrors.list]),
            ("/mirrors/{mirror}", [.get: mirrors.page]),
            ("/mirrors/{mirror}/look", [.post: mirrors.look]),
            ("/mirrors/{mirror}/builds", [.post: mirrors.build]),
            ("/mirrors/{mirror}/builds/{build}", [.get: mirrors.buildPage]),
            ("/mirrors/{mirror}/builds/{build}/cancel", [.post: mirrors.cancel]),
            ("/mirrors/{mirror}/builds/{build}/files/{file}", [.get: files.file]),
        ]
    }
}
