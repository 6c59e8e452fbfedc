import HTTPServing
import Releases

extension ServerConfiguration {
    /// The base URL if none was set: with the first address that a device could reach.
    func base(port: Int) throws(MalformedBaseURL) -> BaseURL {
        let isAny = ["0.0.0.0", "::", ""].contains(host)
        let reachable = MachineNames.addresses().first { !$0.hasPrefix("127.") && $0 != "::1" }
        let host = isAny ? reachable ?? "localhost" : host
        let written = host.contains(":") ? "[\(host)]" : host
        return try BaseURL("https://\(written):\(port == 0 ? 443 : port)")
    }
}
