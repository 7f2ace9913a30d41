// The fixed-size vectors and matrices every layer shares. SI units; right-handed frames; quaternions are Hamilton, (w, x, y, z).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sinew {

using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Quat = Eigen::Quaterniond;
using VecX = Eigen::VectorXd;

template <int Rows>
using Vec = Eigen::Matrix<double, Rows, 1>;
template <int Rows, int Cols>
using Mat = Eigen::Matrix<double, Rows, Cols>;

}  // namespace sinew
