/// The admin's pages of apps, releases and devices.
extension ExamplePages {
    func thingPages() throws -> [String: String] { [:] }
}
