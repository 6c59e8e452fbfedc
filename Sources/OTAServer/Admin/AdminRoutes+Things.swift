/// Apps, releases and devices.
extension AdminRoutes {
    var things: Table { [] }
}
