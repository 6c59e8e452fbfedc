import Bytes
import Bundles
import Cryptography
package import Identifiers

extension SessionAuthority {
    /// Returns the reference of a device in cookies and URLs, which does not reveal its UDID: 24
    /// hexadecimal digits that only the holder of the store's key can compute.
    package func reference(to device: DeviceUDID) -> String {
        let code = authenticationCode(of: Array("ota device\0\(device)".utf8), key: key)
        return Hex.encode(code.prefix(12))
    }
}
